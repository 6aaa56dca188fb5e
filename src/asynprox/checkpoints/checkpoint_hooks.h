// Who wants the checkpoints of a run, and when.
#pragma once

#include <functional>

#include "asynprox/checkpoints/checkpoint_rule.h"
#include "asynprox/checkpoints/run_state.h"

namespace asynprox {

struct CheckpointHooks {
  // Also once when somebody interrupts the run; with an empty rule only then.
  CheckpointRule every = {};

  // Called one at a time, from any thread; none: there are no checkpoints. All events up to the state
  // were handed on before. What it throws ends the run: what cannot be written should rather be told.
  std::function<void(const RunState&)> save = {};

  // There is no state to save, for this reason; called once.
  std::function<void(const std::string&)> impossible = {};
};

}  // namespace asynprox
