// Any compute time as a value; called once a push.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "asynprox/base/family.h"
#include "asynprox/simulator/compute_times/compute_time.h"

namespace asynprox {

class AnyComputeTime {
 public:
  template <ComputeTime Time>
  AnyComputeTime(Time time)  // NOLINT: converts
      : rate_(time.rate), time_(std::make_shared<const Holder<Time>>(time)) {
    check_parameters(time);
  }

  std::string_view name() const { return time_->name(); }
  // The spec that makes it again, at the rate it has now.
  std::string spec() const { return time_->spec(rate_); }
  double rate() const { return rate_; }  // samples a second, on average
  void limit_rate(double rate) { rate_ = rate < rate_ ? rate : rate_; }

  double seconds(double samples, const Random& random) const {
    return samples / rate_ * time_->variation(random);
  }

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual std::string_view name() const = 0;
    virtual std::string spec(double rate) const = 0;
    virtual double variation(const Random& random) const = 0;
  };
  template <class Time>
  struct Holder final : Interface {
    explicit Holder(Time held) : time(held) {}
    std::string_view name() const override { return Time::name; }
    std::string spec(double rate) const override {
      Time now = time;
      now.rate = rate;
      return spec_of(now).text();
    }
    double variation(const Random& random) const override { return time.variation(random); }
    const Time time;
  };

  double rate_;
  std::shared_ptr<const Interface> time_;
};

}  // namespace asynprox
