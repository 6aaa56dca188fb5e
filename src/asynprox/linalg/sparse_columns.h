// Some columns of a data matrix, for what walks along columns: coordinate descent. Single precision,
// for quadratic models and for corrections to sums that are known in doubles.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "asynprox/linalg/rows.h"

namespace asynprox {

// Column k holds the entries offsets[k] to offsets[k + 1], whose rows rise. Behind the last of them
// are read_beyond more, so that kernels may read whole vectors.
struct SparseColumns {
  static constexpr std::size_t read_beyond = 16;

  std::vector<std::uint64_t> offsets = {0};
  std::vector<std::uint32_t> rows;
  std::vector<float> values;

  std::size_t size() const { return offsets.size() - 1; }
};

// How many entries are stored of each column. A pass over the rows.
std::vector<std::uint32_t> column_lengths(const Rows& rows);

// The columns listed, which rise, of the entries s_i z_ij D_j; scales left out are all one. `lengths`
// are column_lengths(). A pass over the rows, which are at most 2^31.
SparseColumns columns_of(const Rows& rows, std::span<const Key> columns,
                         std::span<const std::uint32_t> lengths,
                         std::span<const double> row_scale = {},
                         std::span<const double> column_scale = {});

}  // namespace asynprox
