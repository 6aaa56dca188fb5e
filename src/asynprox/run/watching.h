// The callbacks of a run, and the options of its Monitor.
#pragma once

#include <atomic>
#include <functional>

#include "asynprox/checkpoints/checkpoint_hooks.h"
#include "asynprox/problem/problem.h"
#include "asynprox/run/options.h"
#include "asynprox/run/plan.h"
#include "asynprox/runtimes/monitor.h"
#include "asynprox/runtimes/recorder.h"

namespace asynprox {

// Callbacks of a run, and the flag that interrupts it: see options.h.
struct RunHooks {
  std::function<void(const Plan&)> on_start = {};
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(const Evaluation&)> on_evaluation = {};
  std::function<void(const Progress&)> on_progress = {};
  EventSink on_events = {};
  CheckpointHooks checkpoints = {};
};

RunHooks hooks_of(const Options& options);

// Of a run made again: the record says when it ended.
MonitorOptions monitor_options(const Problem& problem, const Plan& plan, const PlanVectors& vectors,
                               const RunHooks& hooks);

// Of a run that is carried out: with its limit of time, and who may interrupt it.
MonitorOptions watched_options(const Problem& problem, const Plan& plan, const PlanVectors& vectors,
                               const RunHooks& hooks);

}  // namespace asynprox
