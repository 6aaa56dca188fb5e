// The kernels of sparse columns, for each level of vector instructions. Every level gives the same
// bits: entry number e of a column is summed in lane e mod 16, in single precision for at most 4096
// entries, and these sums are added in double precision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

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

// sum_e values_e v[rows_e] in double precision, in lanes of which no addition waits for another.
inline double dot_in_doubles(const ColumnSpan& column, std::span<const double> v) {
  double lanes[4] = {};
  const std::size_t whole = column.length / 4 * 4;
  for (std::size_t e = 0; e < whole; e += 4)
    for (std::size_t lane = 0; lane < 4; ++lane)
      lanes[lane] += static_cast<double>(column.values[e + lane]) * v[column.rows[e + lane]];
  for (std::size_t e = whole; e < column.length; ++e)
    lanes[e - whole] += static_cast<double>(column.values[e]) * v[column.rows[e]];
  return (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
}

// v[rows_e] += factor values_e in double precision.
inline void add_in_doubles(const ColumnSpan& column, double factor, std::span<double> v) {
  for (std::size_t e = 0; e < column.length; ++e)
    v[column.rows[e]] += factor * static_cast<double>(column.values[e]);
}

}  // namespace asynprox
