//   h(x) = 0 where lower <= x_j <= upper for every j, else infinity
//   prox: the projection, each coordinate is clipped; the same for every eta, also 0
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/regularizers/regularizer.h"
#include "asynprox/regularizers/sets.h"

namespace asynprox {

struct Box {
  static constexpr std::string_view name = "box";
  static constexpr std::string_view formula = "0 where lower <= x_j <= upper, else infinity";
  static constexpr bool indicator = true;
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();

  static constexpr auto parameters() {
    return std::tuple(parameter(&Box::lower, "lower", any_number(), "least value of a coordinate"),
                      parameter(&Box::upper, "upper", any_number(), "largest value"));
  }

  // Checks that lower <= upper.
  void bind(std::size_t dimension) const;

  double value(double x, std::size_t) const { return indicator_value(lower <= x && x <= upper); }
  double prox(double v, double, std::size_t) const { return std::clamp(v, lower, upper); }

  double lazy_time(double) const { return 0; }
  double prox_after(double x, double, std::size_t) const { return std::clamp(x, lower, upper); }

  // The larger of lower v and upper v
  double conjugate(double v, std::size_t) const { return v == 0 ? 0 : v * (v > 0 ? upper : lower); }
};
static_assert(SeparableRegularizer<Box>);

}  // namespace asynprox
