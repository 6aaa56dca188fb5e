#include "asynprox/regularizers/sparse_group_lasso.h"

#include <algorithm>
#include <cmath>

#include "asynprox/regularizers/l1.h"
#include "asynprox/regularizers/l2_norm.h"
#include "asynprox/regularizers/sets.h"
#include "asynprox/regularizers/sums.h"

namespace asynprox {
namespace {

// |S(s v_g, threshold)|
double thresholded_norm(std::span<const double> v, std::span<const Key> group, double s,
                        double threshold) {
  return stable_norm(group.size(),
                     [&](std::size_t i) { return soft_threshold(s * v[group[i]], threshold); });
}

}  // namespace

void SparseGroupLasso::bind(std::size_t dimension) {
  index = make_groups(name, groups, size, dimension);
}

double SparseGroupLasso::value(std::span<const double> x) const {
  double sum = 0, sizes = 0;
  for_each_group(index, x, [&](auto, double norm, double weight) { sum += weight * norm; });
  for (const double x_j : x) sizes += std::abs(x_j);
  return l1 * sizes + group * sum;
}

void SparseGroupLasso::prox(std::span<double> v, double eta) const {
  for (double& v_j : v) v_j = soft_threshold(v_j, eta * l1);
  for_each_group(index, v, [&](std::span<const Key> members, double norm, double weight) {
    const double factor = shrink_factor(norm, eta * (group * weight));
    for (const Key j : members) v[j] = factor == 0 ? 0 : factor * v[j];
  });
}

void SparseGroupLasso::prox_scaled(std::span<double> v, std::span<const double> etas) const {
  for (std::size_t j = 0; j < v.size(); ++j) v[j] = soft_threshold(v[j], etas[j] * l1);
  shrink_groups_scaled(index, v, etas, group);
}

double SparseGroupLasso::conjugate(std::span<const double> v) const {
  bool inside = true;
  for_each_group(index, v, [&](std::span<const Key> members, double, double weight) {
    // Rounding is measured by v, not by what the threshold leaves of it.
    const double threshold = l1 * (1 + kSetTolerance);
    inside = inside && within(thresholded_norm(v, members, 1, threshold), group * weight);
  });
  return indicator_value(inside);
}

double SparseGroupLasso::dual_scale(std::span<const double> v) const {
  double scale = 1;
  for_each_group(index, v, [&](std::span<const Key> members, double norm, double weight) {
    const auto fits = [&](double s) {
      return thresholded_norm(v, members, s, l1) <= group * weight;
    };
    if (fits(scale)) return;
    double largest = 0;
    for (const Key j : members) largest = std::max(largest, std::abs(v[j]));
    // The norm rises with s: bisection, from where one of the two strengths alone is enough.
    double low = std::max(l1 / largest, group * weight / norm), high = scale;
    for (double middle = low + (high - low) / 2; low < middle && middle < high;
         middle = low + (high - low) / 2)
      (fits(middle) ? low : high) = middle;
    scale = std::min(scale, low);
  });
  return scale;
}

}  // namespace asynprox
