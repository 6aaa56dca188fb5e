// A plan that comes from a file or from another process may hold any numbers.
#pragma once

#include "asynprox/problem/problem.h"
#include "asynprox/run/plan.h"

namespace asynprox {

// Throws DataError, naming the field, unless the plan is one that make_plan() could have made for
// the problem: its numbers fit each other, and what it asks for is possible.
void check_plan(const Problem& problem, const Plan& plan);

}  // namespace asynprox
