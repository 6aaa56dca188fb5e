// Whether F has no minimum, seen along one line:
//
//   F(t x) <= t F(x) / 2 < 0    at t = 1e5, 1e10 and 1e20
//
// A quadratic f that is not bounded below falls like t^2 there, whatever h is that grows slower; where
// h is a constraint that keeps x bounded, h(t x) is infinite and f is not asked. Numbers that overflow
// to minus infinity have no limit either.
#pragma once

#include <span>

#include "asynprox/problem/problem.h"

namespace asynprox {

// `objective`: F(x). Up to three passes over the data, where the objective is negative.
bool falls_without_limit(const Problem& problem, std::span<const double> x, double objective);

}  // namespace asynprox
