// The kernels of sparse columns for a sum over samples i of V_i'(diag(p_i) - p_i p_i') V_i, where V_i
// has a number per class and s_i = p_i'V_i: what the Hessians of multinomial models are made of.
// Arrays have a number per sample, those of one class where there are several. Every level of vector
// instructions gives the same bits: entries are summed as column_kernels.h says.
#pragma once

#include "asynprox/linalg/column_kernels.h"

namespace asynprox {

struct ClassKernels {
  // sum_e values_e p[rows_e] (v[rows_e] - s[rows_e])
  double (*product)(const ColumnSpan& column, const float* p, const float* v, const float* s);
  // v[rows_e] += factor values_e, and s[rows_e] += factor values_e p[rows_e]
  void (*add)(float factor, const ColumnSpan& column, const float* p, float* v, float* s);
  // sum_e values_e^2 weights[rows_e]
  double (*squares)(const ColumnSpan& column, const float* weights);
};

// For the level in use (see simd.h).
ClassKernels class_kernels();

}  // namespace asynprox
