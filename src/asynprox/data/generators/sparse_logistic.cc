#include "asynprox/data/generators/sparse_logistic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/linalg/key_set.h"

namespace asynprox {
namespace {

enum Streams : std::uint64_t { kWeights, kLengths, kColumns, kValues, kLabels };

// With this scale, a handful of entries on the support make most labels sure.
constexpr double kWeightScale = 3;

// In place: `keys` becomes `count` distinct columns below `num_columns`, all subsets being equally
// likely (Floyd's algorithm); `draw` moves on.
void draw_columns(const Random& random, std::uint64_t& draw, std::uint64_t count,
                  std::uint64_t num_columns, KeySet& keys) {
  keys.clear();
  for (std::uint64_t last = num_columns - count; last < num_columns; ++last) {
    const std::size_t before = keys.keys().size();
    keys.add(static_cast<Key>(random.index_at(draw++, last + 1)));
    if (keys.keys().size() == before) keys.add(static_cast<Key>(last));
  }
}

}  // namespace

Vector SparseLogisticGenerator::planted() const {
  const std::uint64_t num_columns = whole_number(d, "sparse-logistic: d", kDimensionMax);
  const Random random =
      Random(whole_number(seed, "sparse-logistic: seed", kSeedMax)).stream(kWeights);
  Vector w(num_columns, 0);
  for (std::uint64_t j = 0; j < num_columns; ++j)
    if (random.uniform_at(2 * j) < support) w[j] = kWeightScale * normal_like(random.at(2 * j + 1));
  return w;
}

LabelledRows SparseLogisticGenerator::generate() const {
  const std::uint64_t num_samples = whole_number(n, "sparse-logistic: n", kSamplesMax);
  const std::uint64_t mean = whole_number(nonzeros, "sparse-logistic: nonzeros", kDimensionMax);
  const Vector w = planted();
  if (mean > w.size())
    throw ContractError(fmt::format("sparse-logistic: nonzeros: expected at most d, got {} and {}",
                                    mean, w.size()));
  // Lengths are symmetric around their mean, and a row is never longer than d.
  const std::uint64_t reach = std::min(mean - 1, w.size() - mean);
  const Random random(whole_number(seed, "sparse-logistic: seed", kSeedMax));
  const Random lengths = random.stream(kLengths), columns = random.stream(kColumns),
               values = random.stream(kValues), coins = random.stream(kLabels);

  LabelledRows samples;
  CsrMatrix& matrix = samples.matrix;
  matrix.num_columns = w.size();
  KeySet keys(w.size());
  std::uint64_t draw = 0;
  for (std::uint64_t i = 0; i < num_samples; ++i) {
    draw_columns(columns, draw, mean - reach + lengths.index_at(i, 2 * reach + 1), w.size(), keys);
    const std::size_t begin = matrix.columns.size();
    matrix.columns.insert(matrix.columns.end(), keys.keys().begin(), keys.keys().end());
    std::sort(matrix.columns.begin() + static_cast<std::ptrdiff_t>(begin), matrix.columns.end());
    double t = 0;
    for (std::size_t entry = begin; entry < matrix.columns.size(); ++entry) {
      matrix.values.push_back(static_cast<float>(normal_like(values.at(entry))));
      t += matrix.values.back() * w[matrix.columns[entry]];
    }
    matrix.offsets.push_back(matrix.columns.size());
    const double chance = (1 + t / (1 + std::fabs(t))) / 2;
    samples.labels.push_back(coins.uniform_at(i) < chance ? 1 : -1);
  }
  return samples;
}

}  // namespace asynprox
