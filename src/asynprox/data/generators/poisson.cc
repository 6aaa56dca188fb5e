#include "asynprox/data/generators/poisson.h"

#include <algorithm>

#include "asynprox/base/family.h"
#include "asynprox/data/generators/planted_linear.h"

namespace asynprox {
namespace {

enum Streams : std::uint64_t { kSupport, kWeights, kEntries, kCounts };

// e^x for |x| <= 32, to about 1e-10, without libm's, which differs between machines: the series at
// x / 64, squared six times.
double exponential(double x) {
  const double part = x / 64;
  double sum = 1, term = 1;
  for (int k = 1; k <= 12; ++k) {
    term *= part / k;
    sum += term;
  }
  for (int squaring = 0; squaring < 6; ++squaring) sum *= sum;
  return sum;
}

// The smallest count whose chances, added up, exceed the uniform number u.
double count_of(double mean, double u) {
  constexpr int kCountMax = 200;  // for means up to e^3 the chance of more is none
  double chance = exponential(-mean), sum = chance;
  int count = 0;
  while (sum <= u && count < kCountMax) {
    ++count;
    chance *= mean / count;
    sum += chance;
  }
  return count;
}

}  // namespace

Vector PoissonGenerator::planted() const {
  check_parameters(*this);
  const PlantedSizes sizes = planted_sizes(n, d, seed);
  Vector x = sparse_normals(support, sizes.num_columns, sizes.random.stream(kSupport),
                            sizes.random.stream(kWeights));
  scale(x, 1 / norm(x));
  return x;
}

GeneratedRows PoissonGenerator::rows() const {
  check_parameters(*this);
  const PlantedSizes sizes = planted_sizes(n, d, seed);
  const auto label = [random = sizes.random.stream(kCounts)](double t, std::uint64_t row) {
    return count_of(exponential(std::clamp(t, -3.0, 3.0)), random.uniform_at(row));
  };
  return planted_rows({.num_rows = sizes.num_rows,
                       .x = planted(),
                       .entries = sizes.random.stream(kEntries),
                       .label = label});
}

}  // namespace asynprox
