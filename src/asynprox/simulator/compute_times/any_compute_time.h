// Any compute time as a value; called once per push.
#pragma once

#include <memory>
#include <utility>

#include "asynprox/base/erased.h"
#include "asynprox/simulator/compute_times/compute_time.h"

namespace asynprox {

struct ComputeTimeInterface : MemberInterface {
  double rate = 0;
  virtual double variation(const Random& random) const = 0;
  virtual std::shared_ptr<const ComputeTimeInterface> at_rate(double new_rate) const = 0;
};

template <ComputeTime Time>
struct ComputeTimeAdapter final : Adapter<ComputeTimeInterface, Time> {
  explicit ComputeTimeAdapter(Time time) : Adapter<ComputeTimeInterface, Time>(std::move(time)) {
    this->rate = this->held.rate;
  }
  double variation(const Random& random) const override { return this->held.variation(random); }
  std::shared_ptr<const ComputeTimeInterface> at_rate(double new_rate) const override {
    Time time = this->held;
    time.rate = new_rate;
    return std::make_shared<const ComputeTimeAdapter>(std::move(time));
  }
};

class AnyComputeTime : public Erased<ComputeTimeInterface> {
 public:
  template <ComputeTime Time>
  AnyComputeTime(Time time)  // NOLINT: converts
      : Erased(std::make_shared<const ComputeTimeAdapter<Time>>(std::move(time))) {}

  double rate() const { return held().rate; }  // samples per second, on average
  void limit_rate(double rate) {
    if (rate < held().rate) *this = AnyComputeTime(held().at_rate(rate));
  }

  double seconds(double samples, const Random& random) const {
    return samples / held().rate * held().variation(random);
  }

 private:
  explicit AnyComputeTime(std::shared_ptr<const ComputeTimeInterface> time)
      : Erased(std::move(time)) {}
};

// The member of the family (all.h) that a spec names.
AnyComputeTime make_compute_time(const Spec& spec, const ReadNumbers& read = nullptr);

}  // namespace asynprox
