#include "asynprox/run/watching.h"

#include "asynprox/run/assembly.h"

namespace asynprox {

RunHooks hooks_of(const Options& options) {
  return {.on_start = options.on_start,
          .interrupt = options.interrupt,
          .on_evaluation = options.on_evaluation,
          .on_progress = options.on_progress,
          .on_events = options.on_events,
          .checkpoints = options.checkpoints};
}

MonitorOptions monitor_options(const Problem& problem, const Plan& plan, const PlanVectors& vectors,
                               const RunHooks& hooks) {
  return {.evaluation = evaluator_options(problem, plan, vectors),
          .on_evaluation = hooks.on_evaluation};
}

MonitorOptions watched_options(const Problem& problem, const Plan& plan, const PlanVectors& vectors,
                               const RunHooks& hooks) {
  const StoppingRules& stop = plan.stop;
  MonitorOptions watched = monitor_options(problem, plan, vectors, hooks);
  watched.seconds_max = stop.seconds;
  watched.estimate_horizon = stop.seconds && !stop.steps && !stop.epochs;
  watched.on_progress = hooks.on_progress;
  watched.interrupt = hooks.interrupt;
  return watched;
}

}  // namespace asynprox
