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
#include "asynprox/run/result.h"
#include "asynprox/runtimes/monitor.h"
#include "asynprox/runtimes/recorder.h"
#include "asynprox/runtimes/replay.h"

namespace asynprox {

// Callbacks of a run, and the flag that interrupts it: see options.h.
struct RunHooks {
  std::function<void(const Plan&)> on_start = {};
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(const Evaluation&)> on_evaluation = {};
  std::function<void(const Progress&)> on_progress = {};
  EventSink on_events = {};
};

RunHooks hooks_of(const Options& options);

class Run {
 public:
  // As the options say.
  Run(Problem problem, const Options& options);

  // As a plan says that was made elsewhere, for the same problem (DataError for another one).
  // `given_start`: x_0, where the plan says that it was given.
  Run(Problem problem, const Plan& plan, const std::optional<Vector>& given_start, RunHooks hooks);

  Result solve();
  Replayed replay(const EventSource& next_event);

 private:
  Run(Problem problem, Planned planned, const std::optional<Vector>& given_start, RunHooks hooks);

  MonitorOptions monitor_options() const;
  int evaluation_shares() const;

  Problem problem_;
  Plan plan_;
  PlanVectors vectors_;
  RunHooks hooks_;
  Recorder recorder_;
  Server server_;
  std::vector<Worker> workers_;
  RunOptions run_options_;
};

}  // namespace asynprox
