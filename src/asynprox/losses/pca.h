//   phi(u) = -u^2 / 2         principal components; with h = nonneg-ball, non-negative PCA
#pragma once

#include <string_view>
#include <tuple>

#include "asynprox/losses/scalar_loss.h"

namespace asynprox {

struct PcaLoss {
  static constexpr std::string_view name = "pca";
  static constexpr std::string_view formula = "-u^2 / 2";
  static constexpr Labels labels = Labels::none;
  static constexpr bool convex = false;
  static constexpr bool nonnegative = false;
  static constexpr double curvature = 1;
  static constexpr double slope = -1;
  static constexpr bool stationary_at_zero = true;

  static constexpr auto parameters() { return std::tuple(); }

  double value(double u, double) const { return -0.5 * u * u; }
  double derivative(double u, double) const { return -u; }
};
static_assert(ScalarLoss<PcaLoss> && HasSlope<PcaLoss>);

}  // namespace asynprox
