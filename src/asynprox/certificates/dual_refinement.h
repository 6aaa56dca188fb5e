// A better lower bound than that of a model's own derivatives, where the objective has come to rest
// and the gradient has not:
//
//   D at theta_i = phi'(u_i - a_i'z, y_i)      H z = P(x), the gradient mapping; H bounds f's
//   Hessian
//
// A column of large entries makes f so steep that an error of its coefficient which no objective
// shows is as large as lambda in the gradient, and an l1 norm then scales the whole of theta down.
// x - z has a gradient that h's own slopes balance, by conjugate gradients in a few passes, and is
// never a model: any theta gives a bound. Where x - z has to be finer than doubles, its last part v is
// taken to first order, with a bound on the second:
//
//   D(theta - d) >= -(1/n) [sum_i w_i phi*(theta_i) - <u, d> + <d, A v>] - h*(-(A'(theta - d)) / n),
//   d = F'' A v
//
// With an intercept the means of the columns are taken from
// their entries before they are multiplied: far from 0, rounding would be larger than lambda.
#pragma once

#include <optional>

#include "asynprox/problem/descent_metric.h"
#include "asynprox/problem/evaluated_model.h"
#include "asynprox/problem/problem.h"

namespace asynprox {

// The best bound found on the way. `enough`: no better one is needed. `metric` is the problem's.
// Empty where there is none: see dual_value. Costs up to a hundred and fifty passes over the data.
std::optional<double> refined_dual_value(const Problem& problem, DescentMetric& metric,
                                         const EvaluatedModel& at, double enough);

}  // namespace asynprox
