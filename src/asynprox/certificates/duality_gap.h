// A bound on the error of a model: how far Psi(x) can be above its minimum.
//
//   Psi(y) >= D = -(1/n) sum_i w_i phi*(theta_i, y_i) - h*(-(1/n) sum_i w_i theta_i a_i)
//
// for all y, whatever theta is; theta_i = s phi'(u_i, y_i) with the model's own outputs u_i, and a
// scale s in [0, 1] that makes h* finite. With an intercept the theta_i must sum to 0 by their
// weights: they do once it has been chosen as well as it can be; where that fails, balanced_bound.h.
//
// Where no loss is negative, h(y) <= Psi(y) is at most F, the objective of a model that is known,
// at the minimum. For a homogeneous h it is therefore enough to bound it where h <= F: its
// conjugate there is F (1 / s - 1) at s = 1, s as above, instead of infinite (Duenner, Forte, Takac
// and Jaggi (2016), Primal-dual rates and certificates). The better of the two bounds counts.
#pragma once

#include <optional>
#include <span>

#include "asynprox/linalg/vectors.h"
#include "asynprox/problem/evaluated_model.h"
#include "asynprox/problem/problem.h"

namespace asynprox {

// D, by the scale that is best for it; a lower bound of Psi. Empty where f is not convex, h has no
// conjugate that is known (zero has none), only s = 0 would make it finite (a coordinate that h
// leaves free), or the losses' own is needed and unknown. Costs a pass
// over the data, if the model's outputs are not known; three with an intercept, known
// or not, and two more, once, where columns are far from 0.
std::optional<double> dual_value(const Problem& problem, const EvaluatedModel& at);

// The same from a gradient whose slopes along the intercepts are taken for 0. `conjugate` is
// (1/n) sum_i w_i phi*(phi'(u_i, y_i), y_i), and `highest` the objective of any model, so that the
// minimum is not above it.
std::optional<double> dual_value_at(const Problem& problem, const EvaluatedModel& at,
                                    double conjugate, double highest);

//   max over y of  <grad f(x), x - y> + h(x) - h(y)      0 exactly at critical points
//
// For a bounded set, the largest decrease that f's slope promises within it; for a convex f a bound
// on the error too. Empty where it can be infinite, or h's conjugate is not known.
std::optional<double> stationarity_gap(const Problem& problem, std::span<const double> x,
                                       std::span<const double> gradient);

}  // namespace asynprox
