// The kernels of rows, for each form and each level of vector instructions.
//
// Every form at every level gives the same bits (while x and c are finite): entry number e of a row
// is summed in lane e mod 4, lanes begin at +0, and a dot product is (lane 0 + lane 2) + (lane 1 +
// lane 3). What fills a row up adds zeros.
#pragma once

#include <span>

#include "asynprox/linalg/rows.h"

namespace asynprox {

struct RowKernels {
  // u_i = z_i'x
  void (*dots)(const RowArrays& rows, std::span<const SampleIndex> samples,
               std::span<const double> x, std::span<double> u);
  // g += sum_i c_i z_i
  void (*scatter)(const RowArrays& rows, std::span<const SampleIndex> samples,
                  std::span<const double> c, std::span<double> g);
  // g += sum_i factors_i (z_i'x) z_i
  void (*add_products)(const RowArrays& rows, std::span<const SampleIndex> samples,
                       std::span<const double> factors, std::span<const double> x,
                       std::span<double> g);
};

// Those of the rows' form, for the level in use (see simd.h).
RowKernels row_kernels(const RowArrays& rows);

}  // namespace asynprox
