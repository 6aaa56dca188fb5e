// What the indicators of sets share.
#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "asynprox/linalg/vectors.h"

namespace asynprox {

// A norm or a sum may miss its bound by this much, relative to it, and its point still counts as
// inside: projecting rounds. A point inside is its own projection, bit for bit.
inline constexpr double kSetTolerance = 1e-12;

inline bool within(double size, double radius) { return size <= radius * (1 + kSetTolerance); }

// How far a size is beyond its bound; 0 where it counts as inside.
inline double excess(double size, double radius) {
  return within(size, radius) ? 0 : size - radius;
}

// Steps of a diagonal metric that are further apart count as this far: no quotient overflows.
inline constexpr double kRatioLeast = 1e-100;

// A projection in a diagonal metric depends on the ratios of its steps alone: those to the largest.
inline Vector relative_steps(std::span<const double> etas) {
  Vector ratios(etas.begin(), etas.end());
  const double largest = ratios.empty() ? 1 : *std::ranges::max_element(ratios);
  for (double& ratio : ratios) ratio = std::max(ratio / largest, kRatioLeast);
  return ratios;
}

// 0 inside the set, infinity outside.
inline double indicator_value(bool inside) {
  return inside ? 0 : std::numeric_limits<double>::infinity();
}

}  // namespace asynprox
