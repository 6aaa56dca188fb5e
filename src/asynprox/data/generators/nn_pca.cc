#include "asynprox/data/generators/nn_pca.h"

#include <cmath>

#include "asynprox/base/family.h"
#include "asynprox/base/random.h"

namespace asynprox {
namespace {

enum Streams : std::uint64_t { kComponent, kStrength, kNoise };

struct NnPcaRows {
  Vector v;
  double noise;
  Random random;

  // Calls visit(j, z_ij) for the entries of a row that are not 0.
  void visit_row(std::uint64_t row, const auto& visit) const {
    const Random uniform = random.stream(kNoise);
    const double noise_scale = noise / std::sqrt(static_cast<double>(v.size()));
    const double strength = 0.5 + random.stream(kStrength).uniform_at(row);
    std::uint64_t draw = row * v.size();
    for (std::size_t j = 0; j < v.size(); ++j) {
      const double noise_j = noise_scale * uniform.uniform_at(draw++);
      const auto z = static_cast<float>(strength * v[j] + noise_j);
      if (z != 0) visit(static_cast<Key>(j), z);
    }
  }

  void append(std::uint64_t first, std::uint64_t last, LabelledRows& samples) const {
    CsrMatrix& matrix = samples.matrix;
    for (std::uint64_t row = first; row < last; ++row) {
      visit_row(row, [&](Key column, float z) {
        matrix.columns.push_back(column);
        matrix.values.push_back(z);
      });
      matrix.offsets.push_back(matrix.columns.size());
      samples.labels.push_back(1);
    }
  }

  std::uint64_t count(std::uint64_t first, std::uint64_t last) const {
    std::uint64_t count = 0;
    for (std::uint64_t row = first; row < last; ++row) visit_row(row, [&](Key, float) { ++count; });
    return count;
  }
};

}  // namespace

Vector NnPcaGenerator::planted() const {
  check_parameters(*this);
  const std::uint64_t num_columns = checked(d);
  const Random random = Random(checked(seed)).stream(kComponent);
  Vector v(num_columns, 0);
  for (std::uint64_t j = 0; j < num_columns; ++j)
    if (random.uniform_at(2 * j) < 0.5) v[j] = random.uniform_at(2 * j + 1);
  const double length = norm(v);
  if (length == 0) {
    v[0] = 1;
  } else {
    scale(v, 1 / length);
  }
  return v;
}

GeneratedRows NnPcaGenerator::rows() const {
  check_parameters(*this);
  const NnPcaRows rows{planted(), noise, Random(checked(seed))};
  return {.num_rows = checked(n),
          .num_columns = rows.v.size(),
          .append = [rows](auto first, auto last,
                           LabelledRows& samples) { rows.append(first, last, samples); },
          .count_nonzeros = [rows](auto first, auto last) { return rows.count(first, last); }};
}

}  // namespace asynprox
