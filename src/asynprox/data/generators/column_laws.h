// How often a column is drawn. Both laws use whole numbers only.
#pragma once

#include <bit>
#include <cstdint>

#include "asynprox/base/random.h"
#include "asynprox/linalg/vectors.h"

namespace asynprox {

// Zipf's law in octaves: octave k holds ranks 2^k to 2^(k+1) - 1, all octaves but the last (which
// may be cut by d) are equally likely, and so are the columns of one. Column j has rank j + 1.
class ZipfColumns {
 public:
  explicit ZipfColumns(std::uint64_t num_columns)  // 1 to 2^31
      : num_columns_(num_columns), octaves_((last_octave() << 32) + last_share()) {}

  // A uniform number k + f, with 32 bits for the fraction f, is rank 2^k (1 + f), rounded down.
  Key draw(const Random& random, std::uint64_t counter) const {
    const std::uint64_t at = random.index_at(counter, octaves_);
    const std::uint64_t one = std::uint64_t{1} << 32, fraction = at & (one - 1);
    return static_cast<Key>(((one + fraction) >> (32 - (at >> 32))) - 1);
  }

  // k: how rare a column is, in octaves.
  static int octave(Key column) {
    return static_cast<int>(std::bit_width(std::uint64_t{column} + 1)) - 1;
  }

 private:
  std::uint64_t last_octave() const {
    return static_cast<std::uint64_t>(std::bit_width(num_columns_)) - 1;
  }
  std::uint64_t last_share() const {
    return (num_columns_ + 1 - (std::uint64_t{1} << last_octave())) << (32 - last_octave());
  }

  std::uint64_t num_columns_;
  std::uint64_t octaves_;  // their number, with 32 bits for the fraction
};

class UniformColumns {
 public:
  explicit UniformColumns(std::uint64_t num_columns) : num_columns_(num_columns) {}
  Key draw(const Random& random, std::uint64_t counter) const {
    return static_cast<Key>(random.index_at(counter, num_columns_));
  }
  static int octave(Key) { return 0; }

 private:
  std::uint64_t num_columns_;
};

}  // namespace asynprox
