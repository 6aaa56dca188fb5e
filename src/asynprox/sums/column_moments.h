// Weighted means, mean squares and variances of the columns of a linear model's data.
#pragma once

#include "asynprox/linalg/vectors.h"

namespace asynprox {

// With w_i > 0 about the curvature F'' of sample i and a_ij its entry in coordinate j, 1 for an
// intercept:
struct ColumnMoments {
  Vector means;       // sum_i w_i a_ij / sum_i w_i
  Vector squares;     // (1/n) sum_i w_i a_ij^2
  Vector variances;   // (1/n) sum_i w_i (a_ij - mean_j)^2, summed as such: no digits are lost
  double weight = 1;  // (1/n) sum_i w_i
};

}  // namespace asynprox
