#include "asynprox/data/generators/groups.h"

#include <algorithm>

#include "asynprox/base/family.h"
#include "asynprox/data/generators/planted_linear.h"

namespace asynprox {
namespace {

enum Streams : std::uint64_t { kSupport, kWeights, kEntries, kNoise };

}  // namespace

Vector GroupsGenerator::planted() const {
  check_parameters(*this);
  const PlantedSizes sizes = planted_sizes(n, d, seed);
  const std::uint64_t group_size = checked(size);
  const std::uint64_t num_groups = (sizes.num_columns + group_size - 1) / group_size;
  Vector x(sizes.num_columns, 0);
  for (const std::uint64_t group :
       chosen_share(support, num_groups, sizes.random.stream(kSupport))) {
    const std::uint64_t end = std::min(sizes.num_columns, (group + 1) * group_size);
    for (std::uint64_t j = group * group_size; j < end; ++j)
      x[j] = normal_like(sizes.random.stream(kWeights).at(j));
  }
  return x;
}

GeneratedRows GroupsGenerator::rows() const {
  check_parameters(*this);
  const PlantedSizes sizes = planted_sizes(n, d, seed);
  return planted_rows({.num_rows = sizes.num_rows,
                       .x = planted(),
                       .entries = sizes.random.stream(kEntries),
                       .label = noisy_label(sizes.random.stream(kNoise), noise)});
}

}  // namespace asynprox
