//   phi(u, y) = 1 - tanh(t),  t = y u         bounded: a hopeless sample stops mattering
#pragma once

#include <cmath>
#include <numbers>
#include <span>
#include <string_view>
#include <tuple>

#include "asynprox/losses/exponential_arrays.h"
#include "asynprox/losses/scalar_loss.h"

namespace asynprox {

struct SigmoidLoss {
  static constexpr std::string_view name = "sigmoid";
  static constexpr std::string_view formula = "1 - tanh(y u)";
  static constexpr Labels labels = Labels::signs;
  static constexpr bool convex = false;
  static constexpr bool nonnegative = true;
  // |phi''| = 2 |tanh| (1 - tanh^2), largest where tanh^2 = 1/3: 4 / (3 sqrt 3) = 0.7698...
  static constexpr double curvature = 4 * std::numbers::inv_sqrt3 / 3;

  static constexpr auto parameters() { return std::tuple(); }

  // The same as 1 - tanh(t), which would cancel for large t.
  double value(double u, double y) const { return 2 / (1 + std::exp(2 * y * u)); }

  double derivative(double u, double y) const {
    // exp() sees only non-positive arguments: an infinite one would make this inf / inf.
    const double e = std::exp(-2 * std::abs(y * u));
    return -y * 4 * e / ((1 + e) * (1 + e));
  }

  void values(std::span<const double> u, std::span<const double> y, std::span<double> out) const {
    sigmoid_values(u, y, out);
  }
  void derivatives(std::span<const double> u, std::span<const double> y,
                   std::span<double> out) const {
    sigmoid_derivatives(u, y, out);
  }
};
static_assert(ScalarLoss<SigmoidLoss> && HasArrays<SigmoidLoss>);

}  // namespace asynprox
