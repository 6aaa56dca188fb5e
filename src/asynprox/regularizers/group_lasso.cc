#include "asynprox/regularizers/group_lasso.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "asynprox/base/errors.h"
#include "asynprox/regularizers/sums.h"

namespace asynprox {
namespace {

bool whole(double number) { return number >= 0 && number == std::floor(number); }

Vector group_numbers(const GroupLasso& h, std::size_t dimension) {
  const bool has_groups = !h.groups.path.empty() || !h.groups.numbers.empty();
  const bool has_size = h.size != 0;
  require(has_groups != has_size,
          "group-lasso: expected exactly one of groups=FILE and size=COUNT");
  if (has_groups) return h.groups.numbers;
  if (!(h.size >= 1 && whole(h.size)))
    throw ContractError(
        fmt::format("group-lasso: size: expected a whole number >= 1, got {}", h.size));
  Vector numbers(dimension);
  for (std::size_t j = 0; j < dimension; ++j)
    numbers[j] = std::floor(static_cast<double>(j) / h.size);
  return numbers;
}

void check(const GroupLasso& h, const Vector& numbers, std::size_t dimension) {
  if (numbers.size() != dimension)
    throw ContractError(
        fmt::format("group-lasso: groups '{}': expected {} numbers, one a "
                    "coordinate, got {}",
                    h.groups.path, dimension, numbers.size()));
  for (std::size_t j = 0; j < dimension; ++j)
    if (!whole(numbers[j]))
      throw ContractError(
          fmt::format("group-lasso: groups '{}', number {}: expected a whole number >= 0, got {}",
                      h.groups.path, j + 1, numbers[j]));
}

// Calls visit(members of g, their norm, sqrt(|g|)) for each group.
void for_each_group(const GroupLasso::Index& index, std::span<const double> x, auto&& visit) {
  ensure(index.members.size() == x.size(), "group-lasso: used before bind, or with another size");
  for (std::size_t g = 0; g + 1 < index.starts.size(); ++g) {
    const auto members =
        std::span(index.members).subspan(index.starts[g], index.starts[g + 1] - index.starts[g]);
    const double norm = stable_norm(members.size(), [&](std::size_t i) { return x[members[i]]; });
    visit(members, norm, std::sqrt(static_cast<double>(members.size())));
  }
}

}  // namespace

void GroupLasso::bind(std::size_t dimension) {
  const Vector numbers = group_numbers(*this, dimension);
  check(*this, numbers, dimension);
  index.members.resize(dimension);
  std::iota(index.members.begin(), index.members.end(), Key{0});
  std::ranges::sort(index.members, {}, [&](Key j) { return std::pair(numbers[j], j); });
  index.starts.clear();
  for (std::size_t i = 0; i < dimension; ++i)
    if (i == 0 || numbers[index.members[i]] != numbers[index.members[i - 1]])
      index.starts.push_back(i);
  index.starts.push_back(dimension);
}

double GroupLasso::value(std::span<const double> x) const {
  double sum = 0;
  for_each_group(index, x, [&](auto, double norm, double weight) { sum += weight * norm; });
  return lambda * sum;
}

void GroupLasso::prox(std::span<double> v, double eta) const {
  for_each_group(index, v, [&](std::span<const Key> members, double norm, double weight) {
    const double threshold = eta * (lambda * weight);
    // norm - threshold first: where they are close the difference is exact.
    const double factor = norm <= threshold ? 0 : (norm - threshold) / norm;
    for (const Key j : members) v[j] = norm <= threshold ? 0 : factor * v[j];
  });
}

double GroupLasso::zero_strength(std::span<const double> v) const {
  double largest = 0;
  for_each_group(index, v, [&](auto, double norm, double weight) {
    largest = std::max(largest, norm / weight);
  });
  return largest;
}

}  // namespace asynprox
