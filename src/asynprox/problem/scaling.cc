#include "asynprox/problem/scaling.h"

#include <algorithm>
#include <cmath>

namespace asynprox {
namespace {

// Beyond that the diagonal tells of rounding, or of columns that hardly occur.
constexpr double kScaleMax = 1e6;

// Below that scales gain nothing.
constexpr double kScaleWorthwhile = 1.5;

}  // namespace

Vector column_curvatures(const AnyFiniteSum& f) {
  return f.curvature() ? f.curvature()->diagonal().value_or(Vector()) : Vector();
}

Vector chosen_scales(const Problem& problem, const Vector& curvatures) {
  if (!problem.h.separable() || curvatures.empty() || !all_finite(curvatures)) return {};
  const double largest = *std::ranges::max_element(curvatures);
  if (!(largest > 0)) return {};
  const bool dense = problem.f.mean_keys() >= 0.5 * static_cast<double>(problem.f.dimension());
  Vector scales = curvatures;
  double most = 1;
  for (double& scale : scales) {
    const double ratio = scale > 0 ? largest / scale : 1;
    scale = std::min(dense ? ratio : std::sqrt(ratio), kScaleMax);
    most = std::max(most, scale);
  }
  if (most < kScaleWorthwhile) return {};
  return scales;
}

}  // namespace asynprox
