// A run can be stopped at any moment and continued to the same bits: solve() hands its state to
// Options::checkpoints, as often as that asks for it, and resume() goes on from such a state.
//
//   options.checkpoints = {.every = {.seconds = 60}, .save = [&](const RunState& state) { ... }};
//   const Result result = solve(f, h, options);
//   ...
//   const Result same = resume(f, h, result.plan, state);
//
// Checkpoint and CheckpointFolder keep states in files.
#pragma once

#include <optional>

#include "asynprox/checkpoints/checkpoint_folder.h"  // IWYU pragma: export
#include "asynprox/checkpoints/checkpoint_hooks.h"   // IWYU pragma: export
#include "asynprox/losses/any_loss.h"
#include "asynprox/regularizers/any_regularizer.h"
#include "asynprox/run/plan.h"       // IWYU pragma: export
#include "asynprox/run/result.h"     // IWYU pragma: export
#include "asynprox/run/run_hooks.h"  // IWYU pragma: export

namespace asynprox {

class AnyFiniteSum;  // finite_sum.h
struct Dataset;      // dataset.h

// What goes on beside the plan of the run.
struct ResumeOptions {
  std::optional<Vector> x0 = {};  // where the plan says that it was given
  // The limits so far, where those of the plan are others. Step sizes that depend on the number of
  // steps go on as they were planned.
  std::optional<StoppingRules> stop_before = {};
  RunHooks hooks = {};
};

// Goes on with a run of this problem. DataError for a plan of another problem, and for a state of
// another plan.
Result resume(const Dataset& data, const AnyLoss& loss, const AnyRegularizer& h, const Plan& plan,
              const RunState& state, const ResumeOptions& options = {});
Result resume(const AnyFiniteSum& f, const AnyRegularizer& h, const Plan& plan,
              const RunState& state, const ResumeOptions& options = {});

}  // namespace asynprox
