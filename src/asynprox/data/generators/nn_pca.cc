#include "asynprox/data/generators/nn_pca.h"

#include <cmath>

#include "asynprox/base/random.h"

namespace asynprox {
namespace {

enum Streams : std::uint64_t { kComponent, kStrength, kNoise };

}  // namespace

Vector NnPcaGenerator::planted() const {
  const std::uint64_t num_columns = whole_number(d, "nn-pca: d", kDimensionMax);
  const Random random = Random(whole_number(seed, "nn-pca: seed", kSeedMax)).stream(kComponent);
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

LabelledRows NnPcaGenerator::generate() const {
  const std::uint64_t num_samples = whole_number(n, "nn-pca: n", kSamplesMax);
  const Random random(whole_number(seed, "nn-pca: seed", kSeedMax));
  const Random strength = random.stream(kStrength), uniform = random.stream(kNoise);
  const Vector v = planted();
  const double noise_scale = noise / std::sqrt(static_cast<double>(v.size()));

  LabelledRows samples;
  samples.matrix.num_columns = v.size();
  samples.labels.assign(num_samples, 1);
  std::uint64_t draw = 0;
  for (std::uint64_t i = 0; i < num_samples; ++i) {
    const double s = 0.5 + strength.uniform_at(i);
    for (std::size_t j = 0; j < v.size(); ++j) {
      const auto z = static_cast<float>(s * v[j] + noise_scale * uniform.uniform_at(draw++));
      if (z == 0) continue;
      samples.matrix.columns.push_back(static_cast<Key>(j));
      samples.matrix.values.push_back(z);
    }
    samples.matrix.offsets.push_back(samples.matrix.columns.size());
  }
  return samples;
}

}  // namespace asynprox
