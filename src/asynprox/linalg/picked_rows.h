// Some rows of a dense matrix, each with a factor: what several outputs of a linear model, and the
// layers of a network, are computed with. Both kernels work lane by lane, so that every level of
// vector instructions gives the same bits.
#pragma once

#include <cstddef>
#include <span>

#include "asynprox/linalg/vectors.h"

namespace asynprox {

// The matrix's row rows[e] counts factors[e] times.
struct PickedRows {
  std::span<const Key> rows = {};
  std::span<const double> factors = {};
};

// out_j += sum_e factors[e] M[rows[e], j] for every j of `out`, in the order of e. Row k of M
// begins at matrix + k * stride.
void add_combination(const PickedRows& picked, const double* matrix, std::size_t stride,
                     std::span<double> out);

// M[rows[e], j] += factors[e] v_j for every e and every j of `v`.
void add_outer_product(const PickedRows& picked, std::span<const double> v, double* matrix,
                       std::size_t stride);

}  // namespace asynprox
