// The set of coordinates a batch touches. Clearing costs nothing: a coordinate belongs to the set
// when its stamp is the current epoch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "asynprox/linalg/vectors.h"

namespace asynprox {

class KeySet {
 public:
  explicit KeySet(std::size_t dimension) : stamps_(dimension, 0) {}

  void clear() {
    keys_.clear();
    if (++epoch_ != 0) return;
    std::ranges::fill(stamps_, 0);
    epoch_ = 1;
  }

  void add(Key key) {
    if (stamps_[key] == epoch_) return;
    stamps_[key] = epoch_;
    keys_.push_back(key);
  }

  // In the order they were first added.
  std::span<const Key> keys() const { return keys_; }

 private:
  std::vector<std::uint32_t> stamps_;
  std::uint32_t epoch_ = 1;
  std::vector<Key> keys_;
};

}  // namespace asynprox
