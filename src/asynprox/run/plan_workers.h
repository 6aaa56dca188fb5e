// The part of a plan that is about workers: how many, how stale they may be, and who runs them.
#pragma once

#include "asynprox/problem/problem.h"
#include "asynprox/run/chosen.h"
#include "asynprox/run/options.h"
#include "asynprox/run/plan.h"

namespace asynprox {

// W: as given; else one per core, unless there are fewer samples.
int worker_count(const Problem& problem, const Options& options);

// A worker has two gradients under way: one travels while the other is computed.
bool pipelined(const Options& options);

// Each throws ContractError where the choices do not fit each other or the problem.
Chosen<WorkerPlan> plan_workers(const Problem& problem, const Options& options,
                                const MethodPlan& method);
ExecutionPlan plan_execution(const Options& options, const WorkerPlan& workers);

// A step that touches many coordinates is computed while other workers push and pull.
bool steps_outside_lock(const Problem& problem, Runtime runtime, StateChoice state,
                        std::int64_t batch_size);

}  // namespace asynprox
