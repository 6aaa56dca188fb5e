// One form of sparse rows: how rows are laid out, how wide a column and a value are stored. A form
// views arrays that others keep. The kernels are the same text for every form, so every form gives
// the same bits.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "asynprox/linalg/row_types.h"
#include "asynprox/linalg/rows.h"

namespace asynprox {

// The values of all entries, in order.
template <class Value>
class Values {
 public:
  explicit Values(std::span<const std::byte> values) : stored_(array_of<Value>(values)) {}

  double operator[](std::size_t entry) const { return static_cast<double>(stored_[entry]); }
  const Value* address(std::size_t entry) const { return stored_.data() + entry; }

 private:
  std::span<const Value> stored_;
};

template <>
class Values<Ones> {
 public:
  explicit Values(std::span<const std::byte>) {}

  double operator[](std::size_t) const { return 1; }
};

// Where a row begins and ends, with the entries that fill it up.
class OffsetLayout {
 public:
  explicit OffsetLayout(const RowArrays& arrays)
      : offsets_(array_of<std::uint64_t>(arrays.offsets)) {}

  std::size_t begin(std::size_t row) const { return offsets_[row]; }
  std::size_t end(std::size_t row) const { return offsets_[row + 1]; }
  const std::uint64_t* address(std::size_t row) const { return &offsets_[row]; }

 private:
  std::span<const std::uint64_t> offsets_;
};

class SlotLayout {
 public:
  explicit SlotLayout(const RowArrays& arrays) : slots_(arrays.slots) {}

  std::size_t begin(std::size_t row) const { return row * slots_; }
  std::size_t end(std::size_t row) const { return (row + 1) * slots_; }

 private:
  std::size_t slots_;
};

template <RowLayout kLayout, std::unsigned_integral Column, class Value>
class SparseRows {
 public:
  // The arrays are of this form, and outlive it.
  explicit SparseRows(const RowArrays& arrays);

  std::string name() const;

  // As in Rows.
  void dots(std::span<const SampleIndex> samples, std::span<const double> x,
            std::span<double> u) const;
  void scatter(std::span<const SampleIndex> samples, std::span<const double> c,
               std::span<double> g) const;
  void add_keys(std::span<const SampleIndex> samples, KeySet& keys) const;
  Vector squared_norms(std::span<const double> row_scale) const;
  std::vector<RowEntry> row(std::size_t index) const;
  void check_entries() const;

 private:
  using Layout = std::conditional_t<kLayout == RowLayout::slots, SlotLayout, OffsetLayout>;

  // Where the entries of a row end, without those that fill it up.
  std::size_t end_of_entries(std::size_t row) const;
  void check_row(std::size_t row) const;
  void prefetch_ahead(std::span<const SampleIndex> samples, std::size_t i) const;

  std::size_t num_rows_;
  std::size_t num_columns_;
  std::size_t num_nonzeros_;
  Layout layout_;
  std::span<const Column> columns_;
  Values<Value> values_;
};

}  // namespace asynprox
