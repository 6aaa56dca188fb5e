// The part of a plan that steps are made of, and where they begin.
#pragma once

#include "asynprox/problem/problem.h"
#include "asynprox/run/options.h"
#include "asynprox/run/plan.h"
#include "asynprox/run/plan_curvature.h"

namespace asynprox {

// What the rules of stopping mean for a problem: needs the plan's method, batch and refinements.
StoppingContext stopping_context(const Problem& problem, const Plan& plan);

// Of a plan that has all its other parts. A pass or two over the data for the step `theory`.
// ContractError for a step that cannot be had, DataError where the data's squares overflow.
StepPlan plan_steps(const Problem& problem, const Options& options, const Plan& plan,
                    const SampleCurvature& curvature);

// x_0 moved to where h is finite; `given` instead of the numbers that `start` stands for.
Vector make_start(const Problem& problem, Start start, std::uint64_t seed,
                  const std::optional<Vector>& given = {});

}  // namespace asynprox
