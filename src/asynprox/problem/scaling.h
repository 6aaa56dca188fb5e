// Units for the coordinates in which f is about as curved in every direction.
//
//   s_j = (largest B_jj / B_jj)^w        w = 1 where at least half of the entries are stored;
//                                        else w = 1/2
//
// B: the mean of the samples' curvatures. A step takes s_j eta in coordinate j (model_state.h), as
// if it were taken in units of 1 / sqrt(s_j). Columns that are rare are best not taken at their
// full word: hence w = 1/2.
#pragma once

#include "asynprox/problem/problem.h"

namespace asynprox {

// About the diagonal of f's Hessian (facets/curvature.h); empty where f does not know it.
Vector column_curvatures(const AnyFiniteSum& f);

// By these curvatures. There are none where h is not separable, or all curvatures are about
// the same, or some are not finite, or none are known.
Vector chosen_scales(const Problem& problem, const Vector& curvatures);

}  // namespace asynprox
