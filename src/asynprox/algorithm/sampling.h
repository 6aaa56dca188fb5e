// Which samples a worker's push is made of. A draw is a pure function of its number, so the same
// samples can be computed again, and a recorded run replayed.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "asynprox/base/random.h"
#include "asynprox/linalg/vectors.h"

namespace asynprox {

struct SamplingOptions {
  std::uint64_t seed = 1;
  int worker = 0;
  int incarnation = 0;
  std::int64_t samples_per_push = 1;  // N / m
  std::size_t num_samples = 1;        // n

  // Not random: every draw is this worker's share of all samples (for proximal gradient).
  bool whole_shard = false;
  int num_shards = 1;
};

class Sampling {
 public:
  explicit Sampling(const SamplingOptions& options)
      : options_(options),
        random_(Random(options.seed).stream(options.worker).stream(options.incarnation)) {}

  // Fills `samples` with draw number `draw`: uniform, with replacement, from all n samples.
  void draw(std::uint64_t draw, std::vector<SampleIndex>& samples) const {
    if (options_.whole_shard) return shard(samples);
    const auto count = static_cast<std::uint64_t>(options_.samples_per_push);
    samples.resize(count);
    for (std::uint64_t i = 0; i < count; ++i)
      samples[i] =
          static_cast<SampleIndex>(random_.index_at(draw * count + i, options_.num_samples));
  }

 private:
  void shard(std::vector<SampleIndex>& samples) const {
    const std::size_t n = options_.num_samples;
    const std::size_t first = n * options_.worker / options_.num_shards;
    const std::size_t last = n * (options_.worker + 1) / options_.num_shards;
    samples.resize(last - first);
    std::iota(samples.begin(), samples.end(), static_cast<SampleIndex>(first));
  }

  SamplingOptions options_;
  Random random_;
};

}  // namespace asynprox
