// A = U'U for a symmetric positive definite A, U upper triangular: to solve A x = b. Every level of
// vector instructions gives the same bits.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "asynprox/linalg/vectors.h"

namespace asynprox {

class Cholesky {
 public:
  // Of size x size numbers, one row after the other; those below the diagonal are not read. Empty:
  // the matrix is not positive definite.
  static std::optional<Cholesky> of(Vector matrix, std::size_t size);

  // In place: from b to x.
  void solve(std::span<double> b) const;

 private:
  Cholesky(Vector upper, std::size_t size) : upper_(std::move(upper)), size_(size) {}

  Vector upper_;
  std::size_t size_;
};

}  // namespace asynprox
