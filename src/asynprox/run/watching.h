// The options of the Monitor of a run.
#pragma once

#include "asynprox/problem/problem.h"
#include "asynprox/run/plan.h"
#include "asynprox/run/run_hooks.h"
#include "asynprox/runtimes/monitor.h"

namespace asynprox {

// Of a run made again: the record says when it ended.
MonitorOptions monitor_options(const Problem& problem, const Plan& plan, const PlanVectors& vectors,
                               const RunHooks& hooks);

// Of a run that is carried out: with its limit of time, and who may interrupt it.
MonitorOptions watched_options(const Problem& problem, const Plan& plan, const PlanVectors& vectors,
                               const RunHooks& hooks);

}  // namespace asynprox
