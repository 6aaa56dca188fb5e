#include "asynprox/data/row_walk.h"

#include <fmt/format.h>

#include <vector>

#include "asynprox/base/errors.h"
#include "asynprox/linalg/row_types.h"

namespace asynprox {
namespace {

struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

Range range_of(const RowArrays& arrays, std::uint64_t num_entries, std::uint64_t row) {
  if (arrays.layout == RowLayout::slots) return {row * arrays.slots, (row + 1) * arrays.slots};
  const auto offsets = array_of<std::uint64_t>(arrays.offsets);
  const Range range{offsets[row], offsets[row + 1]};
  if (range.begin > range.end || range.end > num_entries)
    throw DataError(fmt::format("row {}: expected offsets that rise to {}, got {} and {}", row + 1,
                                num_entries, range.begin, range.end));
  return range;
}

template <class Column, class Value>
void walk(const RowArrays& arrays,
          const std::function<void(std::size_t, std::span<const RowEntry>)>& visit) {
  const auto columns = array_of<Column>(arrays.columns);
  const auto values = array_of<Value>(arrays.values);  // none for Ones
  const auto value_at = [&](std::uint64_t entry) -> double {
    if constexpr (std::is_same_v<Value, Ones>)
      return 1;
    else
      return values[entry];
  };
  std::vector<RowEntry> entries;
  for (std::uint64_t row = 0; row < arrays.num_rows; ++row) {
    const auto [begin, end] = range_of(arrays, columns.size(), row);
    entries.clear();
    for (std::uint64_t entry = begin; entry < end; ++entry) {
      const Key column = columns[entry];
      // What fills up a row comes last: the column d in slots, the last column again in blocks.
      const bool fills_slot = arrays.layout == RowLayout::slots && column == arrays.num_columns;
      const bool fills_block =
          arrays.layout == RowLayout::blocks && entry > begin && column == columns[entry - 1];
      if (fills_slot || fills_block) break;
      entries.push_back({column, value_at(entry)});
    }
    visit(row, entries);
  }
}

}  // namespace

void walk_rows(const Rows& rows,
               const std::function<void(std::size_t, std::span<const RowEntry>)>& visit) {
  const RowArrays arrays = rows.arrays();
  with_type(arrays.column_type, [&]<class Column>(std::type_identity<Column>) {
    with_type(arrays.value_type,
              [&]<class Value>(std::type_identity<Value>) { walk<Column, Value>(arrays, visit); });
  });
}

}  // namespace asynprox
