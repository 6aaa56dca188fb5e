// Samples by their numbers, and all of some range without a list of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <span>

#include "asynprox/linalg/vectors.h"

namespace asynprox {

using Samples = std::span<const SampleIndex>;

// Calls work(samples) for the samples from `first` to before `last` in order, in pieces.
template <class Work>
void for_samples(std::size_t first, std::size_t last, Work work) {
  std::array<SampleIndex, 1024> samples;
  for (std::size_t start = first; start < last; start += samples.size()) {
    const std::size_t size = std::min(samples.size(), last - start);
    std::iota(samples.begin(), samples.begin() + size, static_cast<SampleIndex>(start));
    work(Samples(samples.data(), size));
  }
}

}  // namespace asynprox
