// The callbacks of a run, and the flag that interrupts it: see options.h.
#pragma once

#include <atomic>
#include <functional>

#include "asynprox/checkpoints/checkpoint_hooks.h"
#include "asynprox/run/options.h"
#include "asynprox/run/plan.h"

namespace asynprox {

struct RunHooks {
  std::function<void(const Plan&)> on_start = {};
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(const Evaluation&)> on_evaluation = {};
  std::function<void(const Progress&)> on_progress = {};
  EventSink on_events = {};
  CheckpointHooks checkpoints = {};
};

RunHooks hooks_of(const Options& options);

}  // namespace asynprox
