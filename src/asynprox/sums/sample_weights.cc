#include "asynprox/sums/sample_weights.h"

#include <algorithm>
#include <numeric>

#include "asynprox/base/errors.h"

namespace asynprox {

Vector mean_one(const Dataset& data) {
  Vector weights = data.weights;
  if (weights.empty()) return weights;
  const std::size_t n = data.num_samples();
  require(weights.size() == n, data.name + ": one weight a sample");
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  require(total > 0 && *std::ranges::min_element(weights) >= 0,
          data.name + ": weights are at least 0, and not all of them 0");
  scale(weights, static_cast<double>(n) / total);
  return weights;
}

}  // namespace asynprox
