// The part of a plan that is about the method: which, how its steps are controlled, what improves
// models between them, and when a run ends.
#pragma once

#include "asynprox/problem/problem.h"
#include "asynprox/run/chosen.h"
#include "asynprox/run/options.h"
#include "asynprox/run/plan.h"

namespace asynprox {

// Each throws ContractError where the choices do not fit each other or the problem.
Chosen<MethodPlan> plan_method(const Problem& problem, const Options& options);
Chosen<RefinementPlan> plan_refinements(const Problem& problem, const Options& options,
                                        const MethodPlan& method);
StoppingRules plan_stop(const Options& options, const MethodPlan& method,
                        const RefinementPlan& refinements);
EvaluationPlan plan_evaluation(const Problem& problem, const Options& options,
                               const RefinementPlan& refinements);

}  // namespace asynprox
