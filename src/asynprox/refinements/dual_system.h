// Solves V p = r for  V = T + sum_k s_k a_k a_k',  T diagonal and positive, s_k positive, columns a_k: the
// systems of Newton's method in the space of outputs (proximal_point.h). With n samples and K columns:
//
//   K < n    by Cholesky factors of 1/s + A'T^-1 A (Sherman, Morrison and Woodbury)
//   else     by Cholesky factors of V
//   where both are too much work, by conjugate gradients, preconditioned by V's diagonal
#pragma once

#include <cstdint>
#include <span>

#include "asynprox/linalg/column_kernels.h"
#include "asynprox/linalg/vectors.h"

namespace asynprox {

// Are factors of so many rows no more work than conjugate gradients on columns of so many entries may be?
bool factors_are_worth(std::size_t rows, std::int64_t entries);

struct DualSystem {
  std::span<const ColumnSpan> columns;
  std::span<const double> factors;  // s_k
  std::span<const double> diagonal;
  double constant = 0;  // s of one more column, of ones; 0: there is none
};

struct DualSolution {
  Vector p;               // empty: rounding has made V indefinite
  std::int64_t work = 0;  // multiplications
};

// `accuracy`: of conjugate gradients, relative to r.
DualSolution solve(const DualSystem& system, std::span<const double> r, double accuracy);

}  // namespace asynprox
