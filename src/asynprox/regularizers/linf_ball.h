//   h(x) = 0 where |x_j| <= radius for every j, else infinity
//   prox: the projection, each coordinate is clipped; the same for every eta, also 0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/regularizers/regularizer.h"
#include "asynprox/regularizers/sets.h"

namespace asynprox {

struct LinfBall {
  static constexpr std::string_view name = "linf-ball";
  static constexpr std::string_view formula = "0 where |x_j| <= radius, else infinity";
  static constexpr bool indicator = true;
  double radius = 1;

  // Made by bind.
  std::optional<double> corner_norm = {};

  static constexpr auto parameters() {
    return std::tuple(parameter(&LinfBall::radius, "radius", above(0), "largest |x_j|"));
  }

  void bind(std::size_t dimension) {
    corner_norm = radius * std::sqrt(static_cast<double>(dimension));
  }
  // Empty before bind.
  std::optional<double> norm_max() const { return corner_norm; }

  double value(double x, std::size_t) const { return indicator_value(std::abs(x) <= radius); }
  double prox(double v, double, std::size_t) const { return std::clamp(v, -radius, radius); }

  double lazy_time(double) const { return 0; }
  double prox_after(double x, double, std::size_t) const { return std::clamp(x, -radius, radius); }

  // radius |v|
  double conjugate(double v, std::size_t) const { return radius * std::abs(v); }
};
static_assert(SeparableRegularizer<LinfBall>);

}  // namespace asynprox
