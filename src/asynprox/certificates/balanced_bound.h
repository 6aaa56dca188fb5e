// The bound of duality_gap.h where no intercept makes the theta_i sum to 0 by their weights: rounding of
// a large intercept is more than the theta_i of a nearly perfect fit, or they jump where their sum
// changes its sign. Those of the sign that weighs more are scaled down instead:
//
//   theta_i <- theta_i min(1, N / P) where theta_i > 0,    theta_i min(1, P / N) where theta_i < 0
//
// P and N are the sums of w_i |theta_i| of either sign. That is feasible for every loss that is bounded
// below, since 0 is in the domain of phi*, which is convex.
#pragma once

#include <optional>

#include "asynprox/problem/evaluated_model.h"
#include "asynprox/problem/problem.h"

namespace asynprox {

// Is there a finite bound, though maybe not a good one, at every model? Where f is convex, its losses
// have conjugates that are known, and h* is finite along every direction near 0. Not of zero, nonneg
// or tv-1d, which leave directions free, nor of more intercepts than are solved for.
bool every_model_has_bound(const Problem& problem);

// D at these theta_i, a lower bound of Psi. Empty where there is not exactly one intercept, or conjugates
// are not known, or infinite. Costs three passes over the data.
std::optional<double> balanced_dual_value(const Problem& problem, const EvaluatedModel& at);

}  // namespace asynprox
