#include "asynprox/data/generators/planted_linear.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace asynprox {
namespace {

void append(const PlantedLinear& planted, std::uint64_t first, std::uint64_t last,
            LabelledRows& samples) {
  CsrMatrix& matrix = samples.matrix;
  const std::uint64_t d = planted.x.size();
  for (std::uint64_t row = first; row < last; ++row) {
    double t = 0;
    for (std::uint64_t j = 0; j < d; ++j) {
      const double z = static_cast<float>(normal_like(planted.entries.at(row * d + j)));
      matrix.columns.push_back(static_cast<Key>(j));
      matrix.values.push_back(z);
      t += z * planted.x[j];
    }
    matrix.offsets.push_back(matrix.columns.size());
    samples.labels.push_back(planted.label(t, row));
  }
}

}  // namespace

GeneratedRows planted_rows(PlantedLinear planted) {
  const std::uint64_t num_rows = planted.num_rows, d = planted.x.size();
  return {.num_rows = num_rows,
          .num_columns = d,
          .append = [planted = std::move(planted)](
                        auto first, auto last,
                        LabelledRows& samples) { append(planted, first, last, samples); },
          .count_nonzeros = [d](auto first, auto last) { return (last - first) * d; }};
}

std::function<double(double t, std::uint64_t row)> noisy_label(const Random& random, double scale) {
  return [random, scale](double t, std::uint64_t row) {
    return t + scale * normal_like(random.at(row));
  };
}

std::vector<std::uint64_t> chosen_share(double share, std::uint64_t size, const Random& random) {
  const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(size)));
  std::uint64_t left = std::clamp<std::uint64_t>(wanted, std::min<std::uint64_t>(size, 1), size);
  std::vector<std::uint64_t> chosen;
  for (std::uint64_t j = 0; left > 0; ++j) {
    if (random.index_at(j, size - j) >= left) continue;
    chosen.push_back(j);
    --left;
  }
  return chosen;
}

Vector sparse_normals(double share, std::uint64_t size, const Random& chosen,
                      const Random& numbers) {
  Vector x(size, 0);
  for (const std::uint64_t j : chosen_share(share, size, chosen)) x[j] = normal_like(numbers.at(j));
  return x;
}

PlantedSizes planted_sizes(std::int64_t n, std::int64_t d, std::int64_t seed) {
  return {checked(n), checked(d), Random(checked(seed))};
}

}  // namespace asynprox
