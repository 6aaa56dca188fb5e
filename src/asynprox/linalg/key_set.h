// The set of coordinates a batch touches, each with its place in the order they came. Clearing
// costs nothing: a coordinate belongs to the set if it stands at the place that is noted for it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "asynprox/linalg/large_array.h"
#include "asynprox/linalg/vectors.h"

namespace asynprox {

// a if `first` is 1, b if it is 0, without a branch: compilers make one of a conditional.
inline std::uint32_t chosen(std::uint32_t first, std::uint32_t a, std::uint32_t b) {
  return b ^ ((a ^ b) & (0 - first));
}

class KeySet {
 public:
  explicit KeySet(std::size_t dimension) : places_(dimension), keys_(1) {}

  void clear() { size_ = 0; }

  // Fills `places` with those of the keys added[0], ..., added[count - 1], which are new or as they
  // were. Whether a key is new is as good as random, so there is no branch on it: one that is not
  // is written once more.
  template <class Columns>
  void add(const Columns& added, std::size_t count, std::uint32_t* places) {
    if (keys_.size() < size_ + count) keys_.resize(2 * (size_ + count));
    Key* const keys = keys_.data();
    std::uint32_t* const noted = places_.data();
    std::uint32_t size = size_;
    for (std::size_t i = 0; i < count; ++i) {
      const Key key = static_cast<Key>(added[i]);
      const std::uint32_t last = noted[key];
      const std::uint32_t known = (last < size) & (keys[last] == key);
      const std::uint32_t place = chosen(known, last, size);
      keys[place] = key;
      noted[key] = place;
      places[i] = place;
      size += 1 - known;
    }
    size_ = size;
  }
  template <class Column>
  void add(std::span<const Column> added, std::uint32_t* places) {
    add(added.data(), added.size(), places);
  }
  std::uint32_t add(Key key) {
    std::uint32_t place = 0;
    add(&key, 1, &place);
    return place;
  }

  // Asks for the memory that adding this key will need.
  void prefetch(Key key) const { __builtin_prefetch(&places_[key], 0, 2); }

  // In the order they were first added.
  std::span<const Key> keys() const { return {keys_.data(), size_}; }

 private:
  LargeArray<std::uint32_t> places_;
  std::vector<Key> keys_;  // the first size_; never shrinks, so that any place can be looked at
  std::uint32_t size_ = 0;
};

}  // namespace asynprox
