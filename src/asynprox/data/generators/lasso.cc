#include "asynprox/data/generators/lasso.h"

#include "asynprox/base/family.h"
#include "asynprox/data/generators/planted_linear.h"

namespace asynprox {
namespace {

enum Streams : std::uint64_t { kSupport, kWeights, kEntries, kNoise };

}  // namespace

Vector LassoGenerator::planted() const {
  check_parameters(*this);
  const PlantedSizes sizes = planted_sizes(n, d, seed);
  return sparse_normals(support, sizes.num_columns, sizes.random.stream(kSupport),
                        sizes.random.stream(kWeights));
}

GeneratedRows LassoGenerator::rows() const {
  check_parameters(*this);
  const PlantedSizes sizes = planted_sizes(n, d, seed);
  return planted_rows({.num_rows = sizes.num_rows,
                       .x = planted(),
                       .entries = sizes.random.stream(kEntries),
                       .label = noisy_label(sizes.random.stream(kNoise), noise)});
}

}  // namespace asynprox
