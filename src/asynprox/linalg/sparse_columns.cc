#include "asynprox/linalg/sparse_columns.h"

#include "asynprox/base/errors.h"
#include "asynprox/linalg/row_access.h"
#include "asynprox/linalg/row_types.h"

namespace asynprox {

std::vector<std::uint32_t> column_lengths(const Rows& rows) {
  std::vector<std::uint32_t> lengths(rows.num_columns(), 0);
  with_access(rows.arrays(), [&](const auto& access) {
    for (std::size_t i = 0; i < rows.num_rows(); ++i) {
      const auto row = access.row(i);
      for (std::size_t e = 0; e < row.length; ++e) ++lengths[row.columns[e]];
    }
  });
  return lengths;
}

// Branch-free stream compaction: whether a column is wanted cannot be foreseen, so what is not wanted
// is written too, behind the last entry.
SparseColumns columns_of(const Rows& rows, std::span<const Key> columns,
                         std::span<const std::uint32_t> lengths, std::span<const double> row_scale,
                         std::span<const double> column_scale) {
  ensure(rows.num_rows() <= std::size_t{1} << 31, "columns_of: too many rows");
  const auto none = static_cast<std::uint32_t>(columns.size());
  std::vector<std::uint32_t> place(rows.num_columns(), none);
  for (std::uint32_t k = 0; k < none; ++k) place[columns[k]] = k;
  SparseColumns found;
  with_access(rows.arrays(), [&](const auto& access) {
    std::vector<std::uint64_t> next(columns.size() + 1, 0);
    std::uint64_t total = 0;
    for (std::uint32_t k = 0; k < none; ++k) {
      next[k] = total;
      total += lengths[columns[k]];
      found.offsets.push_back(total);
    }
    next[none] = total;
    found.rows.resize(total + SparseColumns::read_beyond, 0);
    found.values.resize(found.rows.size(), 0);
    for (std::size_t i = 0; i < rows.num_rows(); ++i) {
      const auto row = access.row(i);
      const double scale = row_scale.empty() ? 1 : row_scale[i];
      for (std::size_t e = 0; e < row.length; ++e) {
        const std::size_t column = row.columns[e];
        const std::uint32_t k = place[column];
        const std::uint64_t at = next[k];
        const double unit = column_scale.empty() ? 1 : column_scale[column];
        found.rows[at] = static_cast<std::uint32_t>(i);
        found.values[at] = static_cast<float>(row.value(e) * scale * unit);
        next[k] = at + (k < none ? 1 : 0);
      }
    }
    found.rows[total] = 0;
    found.values[total] = 0;
  });
  return found;
}

}  // namespace asynprox
