// The rows of a batch, copied and renumbered: a column is the place of its key among those that the
// batch touches. The model and the gradient at these keys fit a cache, whatever the dimension, and
// the rows themselves are fetched from memory once, not once for each kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "asynprox/linalg/key_set.h"
#include "asynprox/linalg/rows.h"

namespace asynprox {

class LocalRows {
 public:
  // Row i becomes rows' number samples[i]; their columns are added to `keys`. Buffers are reused.
  // Entries of column j are taken column_scale[j] times, unless there are no scales.
  void assign(const Rows& rows, std::span<const SampleIndex> samples, KeySet& keys,
              std::span<const double> column_scale = {});

  // As in Rows, for local rows `first` on, as many as u or c has; x and g have one number a key.
  void dots(std::size_t first, std::span<const double> x, std::span<double> u) const;
  void scatter(std::size_t first, std::span<const double> c, std::span<double> g) const;

 private:
  RowArrays arrays() const;
  std::span<const SampleIndex> numbers(std::size_t first, std::size_t count) const {
    return std::span(numbers_).subspan(first, count);
  }

  ValueType value_type_ = ValueType::ones;
  std::size_t num_keys_ = 0;
  std::vector<std::uint64_t> offsets_ = {0};
  std::vector<std::uint32_t> columns_;
  std::vector<std::byte> values_;
  std::vector<SampleIndex> numbers_;  // 0, 1, 2, ...
};

}  // namespace asynprox
