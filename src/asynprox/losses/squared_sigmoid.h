//   phi(u, y) = (1 - 1 / (1 + exp(-t)))^2,  t = y u
// The squared probability of the wrong label: bounded, and flat far on either side.
#pragma once

#include <cmath>
#include <span>
#include <string_view>
#include <tuple>

#include "asynprox/losses/exponential_arrays.h"
#include "asynprox/losses/scalar_loss.h"

namespace asynprox {

struct SquaredSigmoidLoss {
  static constexpr std::string_view name = "squared-sigmoid";
  static constexpr std::string_view formula = "(1 - 1 / (1 + exp(-y u)))^2";
  static constexpr Labels labels = Labels::signs;
  static constexpr bool convex = false;
  static constexpr bool nonnegative = true;
  // With s = 1 / (1 + exp(t)), phi'' = 2 s^2 (1 - s) (2 - 3 s): of its two extremes the one at
  // s = (15 - sqrt 33) / 24 is larger, 0.15406.
  static constexpr double worst = (15 - 5.744562646538029) / 24;
  static constexpr double curvature = 2 * worst * worst * (1 - worst) * (2 - 3 * worst);

  static constexpr auto parameters() { return std::tuple(); }

  double value(double u, double y) const {
    const double s = 1 / (1 + std::exp(y * u));
    return s * s;
  }

  // -2 y s^2 (1 - s), where neither s nor 1 - s is a difference.
  double derivative(double u, double y) const {
    const double t = y * u;
    const double e = std::exp(-std::abs(t));
    const double larger = 1 / (1 + e), smaller = e * larger;
    const double s = t > 0 ? smaller : larger;
    return -2 * y * s * (smaller * larger);
  }

  void values(std::span<const double> u, std::span<const double> y, std::span<double> out) const {
    squared_sigmoid_values(u, y, out);
  }
  void derivatives(std::span<const double> u, std::span<const double> y,
                   std::span<double> out) const {
    squared_sigmoid_derivatives(u, y, out);
  }
};
static_assert(ScalarLoss<SquaredSigmoidLoss> && HasArrays<SquaredSigmoidLoss>);

}  // namespace asynprox
