//   phi(u, y) = max(0, 1 - t)^2 / 2,  t = y u         a support vector machine with a smooth loss
#pragma once

#include <algorithm>
#include <limits>
#include <string_view>
#include <tuple>

#include "asynprox/losses/scalar_loss.h"

namespace asynprox {

struct SquaredHingeLoss {
  static constexpr std::string_view name = "squared-hinge";
  static constexpr std::string_view formula = "max(0, 1 - y u)^2 / 2";
  static constexpr Labels labels = Labels::signs;
  static constexpr bool convex = true;
  static constexpr bool nonnegative = true;
  static constexpr double curvature = 1;

  static constexpr auto parameters() { return std::tuple(); }

  double value(double u, double y) const { return 0.5 * shortfall(y * u) * shortfall(y * u); }
  double derivative(double u, double y) const { return -y * shortfall(y * u); }
  // a^2 / 2 - a with a = -y theta, where a >= 0
  double conjugate(double theta, double y) const {
    const double a = -y * theta;
    return a >= 0 ? a * (0.5 * a - 1) : std::numeric_limits<double>::infinity();
  }

 private:
  // The order of the arguments lets a nan through.
  static double shortfall(double t) { return std::max(1 - t, 0.0); }
};
static_assert(ScalarLoss<SquaredHingeLoss>);

}  // namespace asynprox
