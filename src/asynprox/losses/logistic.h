//   phi(u, y) = log(1 + exp(-t)),  t = y u         logistic regression
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <tuple>

#include "asynprox/losses/entropy.h"
#include "asynprox/losses/exponential_arrays.h"
#include "asynprox/losses/scalar_loss.h"

namespace asynprox {

struct LogisticLoss {
  static constexpr std::string_view name = "logistic";
  static constexpr std::string_view formula = "log(1 + exp(-y u))";
  static constexpr Labels labels = Labels::signs;
  static constexpr bool convex = true;
  static constexpr bool nonnegative = true;
  static constexpr double curvature = 0.25;

  static constexpr auto parameters() { return std::tuple(); }

  double value(double u, double y) const {
    const double t = y * u;
    // exp() sees only non-positive arguments, so neither branch overflows.
    return t > 0 ? std::log1p(std::exp(-t)) : std::log1p(std::exp(t)) - t;
  }
  double derivative(double u, double y) const { return -y / (1 + std::exp(y * u)); }
  double second_derivative(double derivative, double) const {
    const double a = std::abs(derivative);
    return a * (1 - a);
  }
  // a log a + (1 - a) log(1 - a) with a = -y theta, where 0 <= a <= 1
  double conjugate(double theta, double y) const {
    const double a = -y * theta;
    if (!(a >= 0 && a <= 1)) return std::numeric_limits<double>::infinity();
    return x_log_x(a) + (a < 1 ? (1 - a) * std::log1p(-a) : 0);
  }

  void values(std::span<const double> u, std::span<const double> y, std::span<double> out) const {
    logistic_values(u, y, out);
  }
  void derivatives(std::span<const double> u, std::span<const double> y,
                   std::span<double> out) const {
    logistic_derivatives(u, y, out);
  }
  void values_and_derivatives(std::span<const double> u, std::span<const double> y,
                              std::span<double> values, std::span<double> derivatives) const {
    logistic_values_and_derivatives(u, y, values, derivatives);
  }
  void conjugates(std::span<const double> theta, std::span<const double> y,
                  std::span<double> out) const {
    logistic_conjugates(theta, y, out);
  }
};
static_assert(ScalarLoss<LogisticLoss> && HasArrays<LogisticLoss>);

}  // namespace asynprox
