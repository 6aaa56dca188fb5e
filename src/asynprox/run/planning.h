// From what a caller chose, and what the problem is like, to the plan of a run.
#pragma once

#include "asynprox/problem/problem.h"
#include "asynprox/run/options.h"
#include "asynprox/run/plan.h"

namespace asynprox {

struct Planned {
  Plan plan;
  PlanVectors vectors;
};

ProblemMark mark_of(const Problem& problem);

// Throws ContractError where the choices do not fit each other or the problem.
Planned make_plan(const Problem& problem, const Options& options);

// The vectors of a plan that was made elsewhere, for the same problem. DataError where the plan
// makes no sense or is for a problem of another shape (check_plan.h), or where the vectors are not
// those of the plan: then this is another problem. Other data that gives the same vectors is found
// when a run is replayed, by what its steps write.
PlanVectors vectors_of(const Problem& problem, const Plan& plan,
                       const std::optional<Vector>& given_start = {});

// ContractError for a run that cannot be recorded.
void check_recordable(const Plan& plan);

}  // namespace asynprox
