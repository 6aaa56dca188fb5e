#include "asynprox/sums/label_shift.h"

#include <algorithm>
#include <cmath>

#include "asynprox/linalg/vectors.h"

namespace asynprox {
namespace {

// The median over the mean distance from it: from here on three and more of a residual's digits are
// lost, and six of the loss's.
constexpr double kFar = 1e3;

}  // namespace

double label_shift(std::span<const double> labels) {
  if (labels.empty() || !all_finite(labels)) return 0;
  Vector sorted(labels.begin(), labels.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::ranges::nth_element(sorted, middle);
  const double median = *middle;
  double distance = 0;
  for (const double label : labels)
    distance += std::abs(label - median) / static_cast<double>(labels.size());
  return std::abs(median) > kFar * distance ? median : 0;
}

}  // namespace asynprox
