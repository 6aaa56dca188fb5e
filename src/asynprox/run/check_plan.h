// A plan that comes from a file or from another process may hold any numbers.
#pragma once

#include "asynprox/problem/problem.h"
#include "asynprox/run/plan.h"

namespace asynprox {

// Throws DataError, naming the field, where the plan is for a problem of another shape or
// regulariser, or where carrying it out would be undefined, endless, or out of all bounds of
// memory. What follows from other parts of the plan is computed again and compared.
void check_plan(const Problem& problem, const Plan& plan);

}  // namespace asynprox
