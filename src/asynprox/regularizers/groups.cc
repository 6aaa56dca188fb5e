#include "asynprox/regularizers/groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "asynprox/regularizers/scaled_norm.h"

namespace asynprox {
namespace {

bool whole(double number) { return number >= 0 && number == std::floor(number); }

Vector group_numbers(std::string_view member, const NumbersFile& groups, std::int64_t size,
                     std::size_t dimension) {
  const bool has_groups = !groups.path.empty() || !groups.numbers.empty();
  if (has_groups == (size != 0))
    throw ContractError(
        fmt::format("{}: expected exactly one of groups=FILE and size=COUNT", member));
  if (has_groups) return groups.numbers;
  if (size < 1)
    throw ContractError(
        fmt::format("{}: size: expected a whole number >= 1, got {}", member, size));
  Vector numbers(dimension);
  for (std::size_t j = 0; j < dimension; ++j) {
    const std::size_t group = j / static_cast<std::size_t>(size);
    numbers[j] = static_cast<double>(group);
  }
  return numbers;
}

void check(std::string_view member, const NumbersFile& groups, const Vector& numbers,
           std::size_t dimension) {
  if (numbers.size() != dimension)
    throw ContractError(
        fmt::format("{}: groups '{}': expected {} numbers, one per coordinate, got {}", member,
                    groups.path, dimension, numbers.size()));
  for (std::size_t j = 0; j < dimension; ++j)
    if (!whole(numbers[j]))
      throw ContractError(
          fmt::format("{}: groups '{}', number {}: expected a whole number >= 0, got {}", member,
                      groups.path, j + 1, numbers[j]));
}

}  // namespace

GroupIndex make_groups(std::string_view member, const NumbersFile& groups, std::int64_t size,
                       std::size_t dimension) {
  const Vector numbers = group_numbers(member, groups, size, dimension);
  check(member, groups, numbers, dimension);
  GroupIndex index;
  index.members.resize(dimension);
  std::iota(index.members.begin(), index.members.end(), Key{0});
  std::ranges::sort(index.members, {}, [&](Key j) { return std::pair(numbers[j], j); });
  for (std::size_t i = 0; i < dimension; ++i)
    if (i == 0 || numbers[index.members[i]] != numbers[index.members[i - 1]])
      index.starts.push_back(i);
  index.starts.push_back(dimension);
  return index;
}

void shrink_groups_scaled(const GroupIndex& index, std::span<double> v,
                          std::span<const double> etas, double lambda) {
  Vector part, steps;
  for_each_group(index, v, [&](std::span<const Key> members, double, double weight) {
    part.clear();
    steps.clear();
    for (const Key j : members) {
      part.push_back(v[j]);
      steps.push_back(etas[j]);
    }
    shrink_scaled(part, steps, lambda * weight);
    for (std::size_t i = 0; i < members.size(); ++i) v[members[i]] = part[i];
  });
}

}  // namespace asynprox
