// The freedom that a loss of several outputs leaves: where it sees only their differences
// (ignores_common_shift in finite_sum.h), to add t_j to all C coefficients of feature j changes no
// f, whatever t is, and h alone chooses it. Along such a direction f is flat, so that steps which
// are short enough for a column of large entries would take millions of passes to get there.
//
// Friedman, Hastie and Tibshirani (2010), Regularization paths for generalized linear models via
// coordinate descent, section 4.1.
#pragma once

#include <span>

#include "asynprox/problem/problem.h"

namespace asynprox {

// In place: from the C coefficients of each feature, their median is taken (the minimum of an l1
// norm) or their mean (of squares), or nothing: whichever makes h least, for each feature apart where
// h is separable. Intercepts stay. Changes nothing where f sees common shifts.
void choose_common_shift(const Problem& problem, std::span<double> x);

}  // namespace asynprox
