//   phi(u, y) = (u - y)^2 / 2         least squares
#pragma once

#include <string_view>
#include <tuple>

#include "asynprox/losses/scalar_loss.h"

namespace asynprox {

struct SquaredLoss {
  static constexpr std::string_view name = "squared";
  static constexpr std::string_view formula = "(u - y)^2 / 2";
  static constexpr Labels labels = Labels::number;
  static constexpr bool convex = true;
  static constexpr bool nonnegative = true;
  static constexpr double curvature = 1;
  static constexpr bool of_residual = true;

  static constexpr auto parameters() { return std::tuple(); }

  double value(double u, double y) const { return 0.5 * (u - y) * (u - y); }
  double derivative(double u, double y) const { return u - y; }
  double second_derivative(double, double) const { return 1; }
  // theta^2 / 2 + theta y
  double conjugate(double theta, double y) const { return theta * (0.5 * theta + y); }
};
static_assert(ScalarLoss<SquaredLoss>);

}  // namespace asynprox
