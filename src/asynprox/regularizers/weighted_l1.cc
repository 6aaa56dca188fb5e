#include "asynprox/regularizers/weighted_l1.h"

#include <fmt/format.h>

#include <cmath>

#include "asynprox/base/errors.h"

namespace asynprox {

void WeightedL1::bind(std::size_t dimension) const {
  const std::vector<double>& w = weights.numbers;
  if (w.size() != dimension)
    throw ContractError(
        fmt::format("weighted-l1: weights '{}': expected {} numbers, one per coordinate, got {}",
                    weights.path, dimension, w.size()));
  for (std::size_t j = 0; j < dimension; ++j)
    if (!(w[j] >= 0 && std::isfinite(lambda * w[j])))
      throw ContractError(fmt::format("weighted-l1: weights '{}', number {}: expected >= 0, got {}",
                                      weights.path, j + 1, w[j]));
}

}  // namespace asynprox
