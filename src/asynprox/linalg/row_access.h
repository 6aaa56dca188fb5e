// Rows of one form, as kernels read them: where a row's entries are, and how to ask for them before
// they are needed.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>

#include "asynprox/linalg/row_buffer.h"
#include "asynprox/linalg/row_types.h"
#include "asynprox/linalg/rows.h"

namespace asynprox {

// Where the columns of a row are.
template <class Column>
using ColumnsAt = std::conditional_t<std::same_as<Column, AllColumns>, AllColumns, const Column*>;

// The entries of one row. Ones have no values.
template <class Column, class Value>
struct RowSpan {
  ColumnsAt<Column> columns;
  const Value* values;
  std::size_t length;

  double value(std::size_t entry) const {
    if constexpr (std::same_as<Value, Ones>)
      return 1;
    else
      return static_cast<double>(values[entry]);
  }
};

// Slots: how many slots per row has, if the compiler is to know; 0 otherwise.
template <RowLayout Layout, class ColumnOf, class ValueOf, std::size_t Slots = 0,
          std::unsigned_integral Offset = std::uint64_t>
class RowAccess {
 public:
  using Column = ColumnOf;
  using Value = ValueOf;
  using Row = RowSpan<Column, Value>;
  static constexpr RowLayout layout = Layout;
  static constexpr bool stores_values = !std::same_as<Value, Ones>;
  static constexpr bool stores_columns = !std::same_as<Column, AllColumns>;
  static constexpr bool has_offsets = Layout != RowLayout::slots && Layout != RowLayout::dense;
  // Rows may be filled up with columns from d on, which neither x nor g has.
  static constexpr bool has_extra_columns = Layout == RowLayout::slots && !stores_values;

  // The arrays are of this form, and outlive it.
  explicit RowAccess(const RowArrays& arrays)
      : offsets_(reinterpret_cast<const Offset*>(arrays.offsets.data())),
        columns_(reinterpret_cast<const Column*>(arrays.columns.data())),
        values_(reinterpret_cast<const Value*>(arrays.values.data())),
        slots_(Slots > 0 ? Slots : arrays.slots),
        num_columns_(arrays.num_columns) {}

  std::size_t begin(std::size_t row) const {
    if constexpr (has_offsets)
      return offsets_[row];
    else
      return row * slots();
  }
  std::size_t end(std::size_t row) const { return begin(row + 1); }

  // A row, with what fills it up.
  Row filled_row(std::size_t row) const {
    const std::size_t first = begin(row);
    return row_at(first, has_offsets ? end(row) - first : slots());
  }

  // A row without it.
  Row row(std::size_t index) const {
    const std::size_t first = begin(index);
    return row_at(first, end_of_entries(first, end(index)) - first);
  }

  // The samples of a batch lie anywhere in memory: a row's entries are asked for samples_ahead
  // samples before they are used, and its offsets as long before that. GCC 12 deletes prefetches
  // from an out-of-line helper that has a loop.
  [[gnu::always_inline]] void prefetch_ahead(std::span<const SampleIndex> samples,
                                             std::size_t i) const {
    if constexpr (has_offsets)
      if (i + 2 * samples_ahead < samples.size())
        __builtin_prefetch(offsets_ + samples[i + 2 * samples_ahead]);
    if (i + samples_ahead >= samples.size()) return;
    const std::size_t ahead = samples[i + samples_ahead];
    const std::size_t first = begin(ahead), last = end(ahead);
    if constexpr (stores_columns) prefetch_lines(columns_ + first, columns_ + last);
    if constexpr (stores_values) prefetch_lines(values_ + first, values_ + last);
  }

 private:
  std::size_t slots() const { return Slots > 0 ? Slots : slots_; }

  static constexpr std::size_t samples_ahead = 8;
  // What comes after these lines of a long row, the processor fetches by itself.
  static constexpr std::size_t lines_per_row = 16;

  // Where the entries of a row end that ends at `last` with what fills it up.
  std::size_t end_of_entries([[maybe_unused]] std::size_t first, std::size_t last) const {
    if constexpr (Layout == RowLayout::blocks)
      while (last > first + 1 && columns_[last - 2] == columns_[last - 1]) --last;
    if constexpr (Layout == RowLayout::slots)
      while (last > first && columns_[last - 1] >= num_columns_) --last;
    return last;
  }

  Row row_at(std::size_t first, std::size_t length) const {
    if constexpr (!stores_columns)
      return {AllColumns{}, values_ + first, length};
    else if constexpr (stores_values)
      return {columns_ + first, values_ + first, length};
    else
      return {columns_ + first, nullptr, length};
  }

  template <class T>
  [[gnu::always_inline]] static void prefetch_lines(const T* first, const T* last) {
    const char* const begin = reinterpret_cast<const char*>(first);
    const char* const end =
        std::min(reinterpret_cast<const char*>(last), begin + lines_per_row * kCacheLine);
    for (const char* line = begin; line < end; line += kCacheLine) __builtin_prefetch(line);
  }

  const Offset* offsets_;
  const Column* columns_;
  const Value* values_;
  std::size_t slots_;
  std::size_t num_columns_;
};

// Calls work(access) for a form that is only borrowed.
template <std::floating_point Value>
auto with_borrowed_access(const RowArrays& arrays, auto&& work) {
  if (arrays.layout == RowLayout::dense)
    return work(RowAccess<RowLayout::dense, AllColumns, Value>(arrays));
  constexpr RowLayout kLayout = RowLayout::compressed;
  if (arrays.offset_type == OffsetType::u64)
    return work(RowAccess<kLayout, std::uint64_t, Value>(arrays));
  if (arrays.column_type == ColumnType::u64)
    return work(RowAccess<kLayout, std::uint64_t, Value, 0, std::uint32_t>(arrays));
  return work(RowAccess<kLayout, std::uint32_t, Value, 0, std::uint32_t>(arrays));
}

// Whether rows are of a form that is only borrowed.
inline bool is_of_others(const RowArrays& arrays) {
  return arrays.layout == RowLayout::dense || arrays.offset_type != OffsetType::u64 ||
         arrays.column_type == ColumnType::u64;
}

// Calls work(access) with the access to rows of these arrays' form.
auto with_access(const RowArrays& arrays, auto&& work) {
  return with_type(arrays.value_type, [&]<class Value>(std::type_identity<Value>) {
    if constexpr (std::floating_point<Value>)
      if (is_of_others(arrays)) return with_borrowed_access<Value>(arrays, work);
    const auto with_columns = [&]<std::unsigned_integral Column>(std::type_identity<Column>) {
      if (arrays.layout == RowLayout::slots)
        return work(RowAccess<RowLayout::slots, Column, Value>(arrays));
      if constexpr (!std::same_as<Value, Ones>)
        if (arrays.layout == RowLayout::blocks)
          return work(RowAccess<RowLayout::blocks, Column, Value>(arrays));
      return work(RowAccess<RowLayout::compressed, Column, Value>(arrays));
    };
    return arrays.column_type == ColumnType::u16
               ? with_columns(std::type_identity<std::uint16_t>{})
               : with_columns(std::type_identity<std::uint32_t>{});
  });
}

}  // namespace asynprox
