// A run as it is carried out: a plan, and all that takes part in it, made and ready.
#pragma once

#include <optional>
#include <vector>

#include "asynprox/algorithm/server.h"
#include "asynprox/algorithm/worker.h"
#include "asynprox/problem/problem.h"
#include "asynprox/run/options.h"
#include "asynprox/run/plan.h"
#include "asynprox/run/planning.h"
#include "asynprox/run/replayed.h"
#include "asynprox/run/result.h"
#include "asynprox/run/watching.h"
#include "asynprox/runtimes/recorder.h"
#include "asynprox/runtimes/replay.h"

namespace asynprox {

class Run {
 public:
  // As the options say.
  Run(const Problem& problem, const Options& options);

  // As a plan says that was made elsewhere, for the same problem (DataError for another one).
  // `given_start`: x_0, where the plan says that it was given.
  Run(const Problem& problem, const Plan& plan, const std::optional<Vector>& given_start,
      RunHooks hooks);

  // A run is used once: Run(...).solve().
  Result solve() &&;
  // Goes on from a checkpoint of a run of the same problem and plan; only the limits of the plan may be
  // others, and then `stop_before` is what they were. DataError for a state that is not of such a run.
  Result resume(const RunState& state, const std::optional<StoppingRules>& stop_before) &&;
  // `stops_before`: the limits up to each moment at which the run went on from a checkpoint, where they
  // were others than those of the plan.
  Replayed replay(const EventSource& next_event,
                  const std::vector<StoppingRules>& stops_before = {}) &&;

 private:
  Run(Problem problem, Planned planned, const std::optional<Vector>& given_start, RunHooks hooks);

  Result carry_out(MonitorOptions watched);
  // One leg of the record, from `state` if there is one; the result is of the last leg.
  ReplayedLeg replay_leg(const EventSource& next_event, const std::optional<RunState>& state,
                         const std::optional<StoppingRules>& stop_before, Result& result);

  Problem problem_;
  Plan plan_;
  PlanVectors vectors_;
  std::optional<Vector> given_start_;
  RunHooks hooks_;
  Recorder recorder_;
  Server server_;
  std::vector<Worker> workers_;
  RunOptions run_options_;
};

}  // namespace asynprox
