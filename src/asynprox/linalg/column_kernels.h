// The kernels of sparse columns, for each level of vector instructions. Every level gives the same
// bits: entry number e of a column is summed in lane e mod 16, in single precision for at most 4096
// entries, and these sums are added in double precision.
#pragma once

#include <cstddef>
#include <cstdint>

namespace asynprox {

// One column: as many rows as values, and SparseColumns::read_beyond numbers to read behind them.
struct ColumnSpan {
  const std::uint32_t* rows = nullptr;
  const float* values = nullptr;
  std::size_t length = 0;
};

struct ColumnKernels {
  // sum_e values_e v[rows_e]
  double (*dot)(const ColumnSpan& column, const float* v);
  // v[rows_e] += factor values_e
  void (*add)(float factor, const ColumnSpan& column, float* v);
  // out_e = values_e v[rows_e]; the sum of squares of that. `out` is not written beyond the column.
  double (*scale)(const ColumnSpan& column, const float* v, float* out);
};

// For the level in use (see simd.h).
ColumnKernels column_kernels();

}  // namespace asynprox
