//   tau(k, i) uniform in {0, ..., min(T, k)}, independently
#pragma once

#include <algorithm>
#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/delays/delay.h"

namespace asynprox {

struct UniformDelay {
  static constexpr std::string_view name = "uniform";
  static constexpr std::string_view formula = "tau(k, i) uniform in {0, ..., min(T, k)}";
  std::int64_t steps_max = 0;

  static constexpr auto parameters() {
    return std::tuple(parameter(&UniformDelay::steps_max, "T", from_to(0, kDelayMax),
                                "the largest age of a gradient, in steps", Presence::required));
  }

  static void check() {}
  std::int64_t max() const { return steps_max; }
  std::int64_t tau(const DelayContext& context) const {
    const auto choices = static_cast<std::uint64_t>(std::min(max(), context.k)) + 1;
    const auto number = static_cast<std::uint64_t>(context.number);
    return static_cast<std::int64_t>(context.random.index_at(number, choices));
  }
};
static_assert(GivenDelay<UniformDelay>);

}  // namespace asynprox
