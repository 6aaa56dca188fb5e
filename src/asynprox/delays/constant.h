//   tau(k, i) = min(T, k)
#pragma once

#include <algorithm>
#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/delays/delay.h"

namespace asynprox {

struct ConstantDelay {
  static constexpr std::string_view name = "constant";
  static constexpr std::string_view formula = "tau(k, i) = min(T, k)";
  std::int64_t steps = 0;

  static constexpr auto parameters() {
    return std::tuple(parameter(&ConstantDelay::steps, "T", from_to(0, kDelayMax),
                                "the age of every gradient, in steps", Presence::required));
  }

  static void check() {}
  std::int64_t max() const { return steps; }
  std::int64_t tau(const DelayContext& context) const { return std::min(max(), context.k); }
};
static_assert(GivenDelay<ConstantDelay>);

}  // namespace asynprox
