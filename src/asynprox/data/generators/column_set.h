// The columns that a row has so far.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "asynprox/linalg/vectors.h"

namespace asynprox {

// A set of columns that is cleared at no cost: a hash table whose entries carry their epoch.
class ColumnSet {
 public:
  // Empties the set; it will take up to `count` columns.
  void clear(std::uint64_t count) {
    const std::uint64_t wanted = std::bit_ceil(2 * count + 2);
    if (table_.size() >= wanted && ++epoch_ != 0) return;
    table_.assign(std::max<std::uint64_t>(wanted, table_.size()), 0);
    epoch_ = 1;
  }

  bool has(Key column) const { return is_at(place(column), column); }

  // False if it was there.
  bool add(Key column) {
    const std::size_t at = place(column);
    if (is_at(at, column)) return false;
    table_[at] = std::uint64_t{epoch_} << 32 | column;
    return true;
  }

 private:
  bool is_at(std::size_t at, Key column) const {
    return table_[at] == (std::uint64_t{epoch_} << 32 | column);
  }

  // Where it is, or would be.
  std::size_t place(Key column) const {
    const std::size_t mask = table_.size() - 1;
    std::size_t at = (column * std::uint64_t{0x9e3779b97f4a7c15}) >> 32 & mask;
    while (table_[at] >> 32 == epoch_ && !is_at(at, column)) at = (at + 1) & mask;
    return at;
  }

  std::vector<std::uint64_t> table_;
  std::uint32_t epoch_ = 0;
};

}  // namespace asynprox
