#include "asynprox/linalg/check_rows.h"

#include <limits>
#include <string>

#include "asynprox/base/errors.h"
#include "asynprox/linalg/row_access.h"
#include "asynprox/linalg/row_types.h"

namespace asynprox {
namespace {

bool is_aligned(std::span<const std::byte> bytes, std::size_t size) {
  return size == 0 || reinterpret_cast<std::uintptr_t>(bytes.data()) % size == 0;
}

// Room for so many columns and values.
void check_room(const RowArrays& arrays, std::uint64_t num_entries) {
  const std::size_t column_size = size_of(arrays.column_type);
  const std::size_t value_size = size_of(arrays.value_type);
  const bool has_columns = arrays.layout != RowLayout::dense;
  const std::uint64_t columns_max = has_columns && arrays.column_type == ColumnType::u16
                                        ? kColumnsMax<std::uint16_t>
                                        : kColumnsMax<Key>;
  require(arrays.num_rows <= kColumnsMax<SampleIndex>, "rows: more than 2^32 samples");
  require(arrays.num_columns <= columns_max, "rows: more columns than their type can count");
  require(arrays.num_nonzeros <= num_entries, "rows: more entries than there is room for");
  require(has_columns ? arrays.columns.size() / column_size == num_entries &&
                            arrays.columns.size() % column_size == 0
                      : arrays.columns.empty(),
          "rows: the columns are not as many as the layout says");
  require(value_size == 0 ? arrays.values.empty()
                          : arrays.values.size() / value_size == num_entries &&
                                arrays.values.size() % value_size == 0,
          "rows: the values are not as many as the layout says");
  require((!has_columns || is_aligned(arrays.columns, column_size)) &&
              is_aligned(arrays.values, value_size),
          "rows: an array does not begin at a multiple of its entries' size");
}

// How many entries there are in slots, those that fill up rows among them.
std::uint64_t entries_in_slots(const RowArrays& arrays) {
  const std::uint64_t num_rows = arrays.num_rows, slots = arrays.slots;
  require(arrays.offsets.empty(), "rows: slots have no offsets");
  require(slots == 0 || num_rows <= std::numeric_limits<std::uint64_t>::max() / slots,
          "rows: more slots than can be counted");
  const bool is_dense = arrays.layout == RowLayout::dense;
  require(!is_dense || slots <= arrays.num_columns, "rows: more entries a row than columns");
  const bool may_fill_up =
      !is_dense && arrays.value_type == ValueType::ones && arrays.num_columns <= kFilledColumnsMax;
  require(may_fill_up || arrays.num_nonzeros == num_rows * slots,
          "rows: only ones of few columns may leave slots empty");
  return num_rows * slots;
}

// The same for compressed rows and blocks.
std::uint64_t entries_by_offsets(const RowArrays& arrays) {
  require(arrays.slots == 0, "rows: only the layout of slots has slots");
  require(arrays.layout == RowLayout::compressed || arrays.value_type != ValueType::ones,
          "rows: ones have no value to fill blocks up with");
  const std::size_t size = size_of(arrays.offset_type);
  require(arrays.offsets.size() % size == 0 &&
              arrays.offsets.size() / size == arrays.num_rows + 1 &&
              is_aligned(arrays.offsets, size),
          "rows: expected an offset a row and one more");
  const auto offset = [&](std::size_t row) -> std::uint64_t {
    return arrays.offset_type == OffsetType::u64 ? array_of<std::uint64_t>(arrays.offsets)[row]
                                                 : array_of<std::uint32_t>(arrays.offsets)[row];
  };
  const std::uint64_t last = offset(arrays.num_rows);
  if (offset(0) != 0) throw DataError("rows: the first offset must be 0");
  if (arrays.layout == RowLayout::compressed && last != arrays.num_nonzeros)
    throw DataError("rows: the last offset must be the number of entries");
  return last;
}

// Forms that we do not make ourselves have kernels for a few of all combinations.
void check_form(const RowArrays& arrays) {
  if (!is_of_others(arrays)) return;
  require(arrays.value_type == ValueType::f32 || arrays.value_type == ValueType::f64,
          "rows: dense ones, 64-bit columns and 32-bit offsets are of floats or doubles");
  if (arrays.layout == RowLayout::dense) return;
  require(arrays.layout == RowLayout::compressed && arrays.column_type != ColumnType::u16,
          "rows: 64-bit columns and 32-bit offsets are of compressed rows, and not of 16-bit ones");
}

[[noreturn]] void fail(std::size_t row, const char* what) {
  throw DataError("row " + std::to_string(row) + " (from 0): " + what);
}

// How many entries row number `index` has.
template <class Access>
std::size_t checked_length(const RowArrays& arrays, const Access& access, std::size_t index) {
  if constexpr (!Access::stores_columns) return access.row(index).length;
  const std::size_t num_entries = arrays.columns.size() / sizeof(typename Access::Column);
  const std::size_t begin = access.begin(index), end = access.end(index);
  if (begin > end || end > num_entries) fail(index, "its offset is beyond the next or the last");
  const auto row = access.row(index), filled = access.filled_row(index);
  if (Access::layout == RowLayout::blocks) {
    if (filled.length % kEntriesPerBlock != 0) fail(index, "does not fill whole blocks");
    if (filled.length - row.length >= kEntriesPerBlock)
      fail(index, "ends in a block without entries");
  }
  const auto beyond = [&](std::size_t e) { return row.columns[e] >= arrays.num_columns; };
  // Kernels leave room for the columns that fill up slots only where some are said to be there.
  const bool all_slots_full =
      Access::layout == RowLayout::slots && arrays.num_nonzeros == arrays.num_rows * arrays.slots;
  if (all_slots_full && row.length < filled.length) fail(index, "a column is beyond the last");
  // Without a branch on each entry, so that compilers make vector instructions of it. Of columns
  // that rise, the last is the largest.
  bool rises = true;
  for (std::size_t e = 1; e < row.length; ++e) rises &= row.columns[e - 1] < row.columns[e];
  if (row.length > 0 && beyond(row.length - 1)) fail(index, "a column is beyond the last");
  for (std::size_t e = 0; e < row.length && !rises; ++e)
    if (beyond(e)) fail(index, "a column is beyond the last");
  if (!rises) fail(index, "columns do not rise");
  for (std::size_t e = row.length; e < filled.length; ++e) {
    const std::size_t expected = arrays.num_columns + (e - row.length) % kFillColumns;
    if (Access::stores_values ? filled.value(e) != 0 : filled.columns[e] != expected)
      fail(index, "is not filled up as its layout says");
  }
  return row.length;
}

}  // namespace

void check_sizes(const RowArrays& arrays) {
  check_form(arrays);
  const bool has_slots = arrays.layout == RowLayout::slots || arrays.layout == RowLayout::dense;
  check_room(arrays, has_slots ? entries_in_slots(arrays) : entries_by_offsets(arrays));
}

std::size_t check_entries(const RowArrays& arrays, std::size_t first, std::size_t last) {
  return with_access(arrays, [&](const auto& access) {
    std::size_t num_nonzeros = 0;
    for (std::size_t i = first; i < last; ++i) num_nonzeros += checked_length(arrays, access, i);
    return num_nonzeros;
  });
}

void check_entries(const RowArrays& arrays) {
  const std::size_t num_nonzeros = check_entries(arrays, 0, arrays.num_rows);
  if (num_nonzeros != arrays.num_nonzeros)
    throw DataError("expected " + std::to_string(arrays.num_nonzeros) +
                    " entries in all rows, got " + std::to_string(num_nonzeros));
}

}  // namespace asynprox
