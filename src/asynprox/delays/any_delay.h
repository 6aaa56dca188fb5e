// Any given delays as a value; called once per push.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "asynprox/base/erased.h"
#include "asynprox/delays/delay.h"

namespace asynprox {

struct DelayInterface : MemberInterface {
  std::int64_t max = 0;
  virtual std::int64_t tau(const DelayContext& context) const = 0;
};

template <GivenDelay Delay>
struct DelayAdapter final : Adapter<DelayInterface, Delay> {
  explicit DelayAdapter(Delay delay) : Adapter<DelayInterface, Delay>(std::move(delay)) {
    this->held.check();
    this->max = this->held.max();
  }
  std::int64_t tau(const DelayContext& context) const override { return this->held.tau(context); }
};

class AnyDelay : public Erased<DelayInterface> {
 public:
  template <GivenDelay Delay>
  AnyDelay(Delay delay)  // NOLINT: converts
      : Erased(std::make_shared<const DelayAdapter<Delay>>(std::move(delay))) {}

  std::int64_t max() const { return held().max; }  // T
  std::int64_t tau(const DelayContext& context) const { return held().tau(context); }
};

// The member of the family (all.h) that a spec names.
AnyDelay make_delay(const Spec& spec, const ReadNumbers& read = nullptr);

}  // namespace asynprox
