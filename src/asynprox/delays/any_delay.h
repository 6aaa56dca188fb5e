// Any given delays as a value; called once a push.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "asynprox/base/family.h"
#include "asynprox/delays/delay.h"

namespace asynprox {

class AnyDelay {
 public:
  template <GivenDelay Delay>
  AnyDelay(Delay delay)  // NOLINT: converts
      : delay_(std::make_shared<const Holder<Delay>>(std::move(delay))) {}

  std::string_view name() const { return delay_->name(); }
  // The spec that makes it again: NAME:KEY=VALUE,... of what differs from its defaults.
  std::string spec() const { return delay_->spec(); }
  std::int64_t max() const { return max_; }  // T
  std::int64_t tau(const DelayContext& context) const { return delay_->tau(context); }

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual std::string_view name() const = 0;
    virtual std::string spec() const = 0;
    virtual std::int64_t max() const = 0;
    virtual std::int64_t tau(const DelayContext& context) const = 0;
  };
  template <class Delay>
  struct Holder final : Interface {
    explicit Holder(Delay held) : delay(std::move(held)) {
      check_parameters(delay);
      delay.check();
    }
    std::string_view name() const override { return Delay::name; }
    std::string spec() const override { return spec_of(delay).text(); }
    std::int64_t max() const override { return delay.max(); }
    std::int64_t tau(const DelayContext& context) const override { return delay.tau(context); }
    const Delay delay;
  };

  std::shared_ptr<const Interface> delay_;
  std::int64_t max_ = delay_->max();
};

}  // namespace asynprox
