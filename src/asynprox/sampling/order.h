// Samples in random orders, one for each pass.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "asynprox/sampling/sampling.h"

namespace asynprox {

inline std::vector<SampleIndex> all_of(const SampleRange& range) {
  std::vector<SampleIndex> samples(range.size());
  std::iota(samples.begin(), samples.end(), static_cast<SampleIndex>(range.first));
  return samples;
}

class Order {
 public:
  explicit Order(std::vector<SampleIndex> samples)
      : samples_(std::move(samples)), shuffled_(samples_) {}

  std::size_t size() const { return samples_.size(); }

  // The order of a pass: the same for the same random numbers. Until the next call.
  std::span<const SampleIndex> of(const Random& random, std::uint64_t pass) {
    if (pass != pass_) shuffle(random.stream(pass));
    pass_ = pass;
    return shuffled_;
  }

 private:
  void shuffle(const Random& random) {
    shuffled_ = samples_;
    for (std::uint64_t left = shuffled_.size(); left > 1; --left)
      std::swap(shuffled_[left - 1], shuffled_[random.index_at(left, left)]);
  }

  std::vector<SampleIndex> samples_, shuffled_;
  std::uint64_t pass_ = ~std::uint64_t{0};  // the one that shuffled_ is of
};

}  // namespace asynprox
