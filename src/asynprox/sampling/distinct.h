// Draws in which no sample comes twice: candidates are drawn until there are enough.
#pragma once

#include <cstdint>
#include <vector>

#include "asynprox/sampling/sampling.h"

namespace asynprox {

class DistinctDraws {
 public:
  explicit DistinctDraws(const SampleRange& range) : range_(range), seen_(range.size(), 0) {}

  // Appends `count` samples, candidate(0), candidate(1), ... without those that came before.
  template <class Candidate>
  void fill(std::size_t count, std::vector<SampleIndex>& samples, Candidate candidate) {
    next_stamp();
    for (std::uint64_t attempt = 0; samples.size() < count; ++attempt) {
      const std::size_t sample = candidate(attempt);
      std::uint32_t& seen = seen_[sample - range_.first];
      if (seen == stamp_) continue;
      seen = stamp_;
      samples.push_back(static_cast<SampleIndex>(sample));
    }
  }

 private:
  void next_stamp() {
    if (++stamp_ != 0) return;
    seen_.assign(seen_.size(), 0);
    stamp_ = 1;
  }

  SampleRange range_;
  std::vector<std::uint32_t> seen_;  // by which draw
  std::uint32_t stamp_ = 0;
};

}  // namespace asynprox
