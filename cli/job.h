// What `train` and `simulate` make of their arguments before the work begins, so that a slip is
// found early.
#pragma once

#include <optional>

#include "asynprox/checkpoints/checkpoint_folder.h"
#include "asynprox/report/kept_run.h"
#include "asynprox/run/options.h"

#include "cli/arguments.h"
#include "cli/problem.h"

namespace asynprox::cli {

// A run that goes on: its checkpoint, and what that keeps of it, with the limits as they are now.
struct Resumption {
  FoundCheckpoint found;
  KeptRun run;
};

// Everything a run needs.
struct Job {
  BuiltProblem problem;
  Options options;
  std::optional<Dataset> test;
  std::optional<Resumption> resumption = {};
};

Job make_job(const FitArguments& arguments, const Options& options);

// The same of a problem that is built.
Job make_job(const FitArguments& arguments, const Options& options, BuiltProblem problem);

}  // namespace asynprox::cli
