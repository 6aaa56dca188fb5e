#include "asynprox/data/row_walk.h"

#include <fmt/format.h>

#include <vector>

#include "asynprox/base/errors.h"
#include "asynprox/linalg/row_access.h"

namespace asynprox {
namespace {

// How many entries there are, with those that fill up rows.
template <class Access>
std::uint64_t num_entries(const RowArrays& arrays) {
  if constexpr (Access::stores_columns)
    return arrays.columns.size() / sizeof(typename Access::Column);
  else
    return arrays.values.size() / sizeof(typename Access::Value);
}

}  // namespace

void walk_rows(const Rows& rows,
               const std::function<void(std::size_t, std::span<const RowEntry>)>& visit) {
  const RowArrays arrays = rows.arrays();
  with_access(arrays, [&]<class Access>(const Access& access) {
    const std::uint64_t end_max = num_entries<Access>(arrays);
    std::vector<RowEntry> entries;
    for (std::uint64_t i = 0; i < arrays.num_rows; ++i) {
      const std::uint64_t begin = access.begin(i), end = access.end(i);
      if (begin > end || end > end_max)
        throw DataError(fmt::format("row {}: expected offsets that rise to {}, got {} and {}",
                                    i + 1, end_max, begin, end));
      entries.clear();
      const auto row = access.row(i);
      for (std::size_t e = 0; e < row.length; ++e)
        entries.push_back({static_cast<Key>(row.columns[e]), row.value(e)});
      visit(i, entries);
    }
  });
}

}  // namespace asynprox
