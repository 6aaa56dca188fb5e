#include "asynprox/data/repack.h"

#include <array>
#include <span>
#include <vector>

#include "asynprox/data/row_walk.h"
#include "asynprox/linalg/row_access.h"
#include "asynprox/linalg/rows_builder.h"

namespace asynprox {

Rows repacked(const Rows& rows, std::size_t num_columns) {
  RowsBuilder builder;
  std::vector<Key> columns;
  Vector values;
  walk_rows(rows, [&](std::size_t, std::span<const RowEntry> entries) {
    columns.clear();
    values.clear();
    for (const auto& [column, value] : entries) {
      columns.push_back(column);
      values.push_back(value);
    }
    builder.add(std::array<std::uint64_t, 2>{0, entries.size()}, columns, values);
  });
  return std::move(builder).build(num_columns);
}

bool is_storable(const Rows& rows) { return !is_of_others(rows.arrays()); }

}  // namespace asynprox
