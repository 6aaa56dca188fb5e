// The kernels of one row and C outputs that lie side by side, for each level of vector
// instructions:
//
//   dots      u_c = sum_e values_e x[columns_e C + c]
//   scatter   g[columns_e C + c] += values_e k_c
//
// Entries are summed in their order, so that every level gives the same bits.
#pragma once

#include <cstddef>
#include <span>

#include "asynprox/linalg/vectors.h"

namespace asynprox {

struct WideRow {
  std::span<const Key> columns;
  std::span<const double> values;
};

// Those of the level in use (see simd.h). C is the size of u and k.
struct OutputKernels {
  void (*dots)(const WideRow& row, const double* x, std::span<double> u);
  void (*scatter)(const WideRow& row, std::span<const double> k, double* g);
};
OutputKernels output_kernels();

}  // namespace asynprox
