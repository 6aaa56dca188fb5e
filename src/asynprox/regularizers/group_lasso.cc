#include "asynprox/regularizers/group_lasso.h"

#include <algorithm>

#include "asynprox/regularizers/l2_norm.h"

namespace asynprox {

void GroupLasso::bind(std::size_t dimension) { index = make_groups(name, groups, size, dimension); }

double GroupLasso::value(std::span<const double> x) const {
  double sum = 0;
  for_each_group(index, x, [&](auto, double norm, double weight) { sum += weight * norm; });
  return lambda * sum;
}

void GroupLasso::prox(std::span<double> v, double eta) const {
  for_each_group(index, v, [&](std::span<const Key> members, double norm, double weight) {
    const double factor = shrink_factor(norm, eta * (lambda * weight));
    for (const Key j : members) v[j] = factor == 0 ? 0 : factor * v[j];
  });
}

void GroupLasso::prox_scaled(std::span<double> v, std::span<const double> etas) const {
  shrink_groups_scaled(index, v, etas, lambda);
}

double GroupLasso::zero_strength(std::span<const double> v) const {
  double largest = 0;
  for_each_group(index, v, [&](auto, double norm, double weight) {
    largest = std::max(largest, norm / weight);
  });
  return largest;
}

}  // namespace asynprox
