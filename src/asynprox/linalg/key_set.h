// The set of coordinates a batch touches, each with its place in the order they came. Clearing
// costs nothing: a coordinate belongs to the set if it stands at the place that is noted for it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "asynprox/linalg/large_array.h"
#include "asynprox/linalg/vectors.h"

namespace asynprox {

class KeySet {
 public:
  explicit KeySet(std::size_t dimension) : places_(dimension) {}

  void clear() { keys_.clear(); }

  // Returns the place of the key, which is new or as it was.
  std::uint32_t add(Key key) {
    std::uint32_t& place = places_[key];
    if (place < keys_.size() && keys_[place] == key) return place;
    place = static_cast<std::uint32_t>(keys_.size());
    keys_.push_back(key);
    return place;
  }

  // Asks for the memory that adding this key will need.
  void prefetch(Key key) const { __builtin_prefetch(&places_[key], 0, 2); }

  // In the order they were first added.
  std::span<const Key> keys() const { return keys_; }

 private:
  LargeArray<std::uint32_t> places_;
  std::vector<Key> keys_;
};

}  // namespace asynprox
