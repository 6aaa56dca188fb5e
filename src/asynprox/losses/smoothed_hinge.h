//   phi(u, y) = 0               where t >= 1,  t = y u
//               (1 - t)^2 / 2   where 0 < t < 1
//               1/2 - t         where t <= 0
// The hinge of a support vector machine with its corner rounded.
//
// Rennie and Srebro (2005), Loss functions for preference levels: regression with discrete ordered
// labels.
#pragma once

#include <algorithm>
#include <limits>
#include <string_view>
#include <tuple>

#include "asynprox/losses/scalar_loss.h"

namespace asynprox {

struct SmoothedHingeLoss {
  static constexpr std::string_view name = "smoothed-hinge";
  static constexpr std::string_view formula =
      "0 where t >= 1, 1/2 - t where t <= 0, else (1 - t)^2 / 2, t = y u";
  static constexpr Labels labels = Labels::signs;
  static constexpr bool convex = true;
  static constexpr bool nonnegative = true;
  static constexpr double curvature = 1;

  static constexpr auto parameters() { return std::tuple(); }

  double value(double u, double y) const {
    const double t = y * u, r = shortfall(t);
    return t <= 0 ? 0.5 - t : 0.5 * r * r;
  }
  double derivative(double u, double y) const { return -y * shortfall(y * u); }
  // a^2 / 2 - a with a = -y theta, where 0 <= a <= 1
  double conjugate(double theta, double y) const {
    const double a = -y * theta;
    return a >= 0 && a <= 1 ? a * (0.5 * a - 1) : std::numeric_limits<double>::infinity();
  }

 private:
  static double shortfall(double t) { return std::clamp(1 - t, 0.0, 1.0); }
};
static_assert(ScalarLoss<SmoothedHingeLoss>);

}  // namespace asynprox
