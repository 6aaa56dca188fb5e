//   phi(u, y) = r^2 / 2                     where |r| <= delta,  r = u - y
//               delta (|r| - delta / 2)     elsewhere
// Least squares that outliers do not dominate.
//
// Huber (1964), Robust estimation of a location parameter.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/losses/scalar_loss.h"

namespace asynprox {

struct HuberLoss {
  static constexpr std::string_view name = "huber";
  static constexpr std::string_view formula =
      "r^2 / 2 where |r| <= delta, else delta (|r| - delta / 2), r = u - y";
  static constexpr Labels labels = Labels::number;
  static constexpr bool convex = true;
  static constexpr bool nonnegative = true;
  static constexpr double curvature = 1;
  static constexpr bool of_residual = true;
  double delta = 1;

  static constexpr auto parameters() {
    return std::tuple(
        parameter(&HuberLoss::delta, "delta", above(0), "residual where it turns linear"));
  }

  double value(double u, double y) const {
    const double r = std::abs(u - y);
    return r <= delta ? 0.5 * r * r : delta * (r - 0.5 * delta);
  }
  double derivative(double u, double y) const { return std::clamp(u - y, -delta, delta); }
  // theta^2 / 2 + theta y, where |theta| <= delta
  double conjugate(double theta, double y) const {
    if (!(std::abs(theta) <= delta)) return std::numeric_limits<double>::infinity();
    return theta * (0.5 * theta + y);
  }
};
static_assert(ScalarLoss<HuberLoss>);

}  // namespace asynprox
