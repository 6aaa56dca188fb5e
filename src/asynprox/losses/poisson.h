//   phi(u, y) = exp(u) - y u,  y >= 0         counts with mean exp(u)
// No bound on phi'' = exp(u), hence no curvature. Beyond u = 709.78, where a double ends, both phi
// and its derivative are +inf.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <tuple>

#include "asynprox/losses/entropy.h"
#include "asynprox/losses/exponential_arrays.h"
#include "asynprox/losses/scalar_loss.h"

namespace asynprox {

struct PoissonLoss {
  static constexpr std::string_view name = "poisson";
  static constexpr std::string_view formula = "exp(u) - y u";
  static constexpr Labels labels = Labels::number;
  static constexpr double label_least = 0;
  static constexpr bool convex = true;
  static constexpr bool nonnegative = false;

  static constexpr auto parameters() { return std::tuple(); }

  double value(double u, double y) const {
    const double e = std::exp(u);
    return std::isinf(e) ? e : e - y * u;  // not inf - inf
  }
  double derivative(double u, double y) const { return std::exp(u) - y; }
  double second_derivative(double derivative, double y) const { return derivative + y; }
  // a log a - a with a = theta + y, where a >= 0
  double conjugate(double theta, double y) const {
    const double a = theta + y;
    return a >= 0 ? x_log_x(a) - a : std::numeric_limits<double>::infinity();
  }
  // The largest phi'' between u = 0 and the u where phi is least.
  double local_curvature(double y) const { return std::max(1.0, y); }

  void values(std::span<const double> u, std::span<const double> y, std::span<double> out) const {
    poisson_values(u, y, out);
  }
  void derivatives(std::span<const double> u, std::span<const double> y,
                   std::span<double> out) const {
    poisson_derivatives(u, y, out);
  }
};
static_assert(ScalarLoss<PoissonLoss> && HasLocalCurvature<PoissonLoss> && HasArrays<PoissonLoss>);

}  // namespace asynprox
