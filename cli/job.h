// What `train` and `simulate` make of their arguments before the work begins, so that a slip is
// found early.
#pragma once

#include <optional>

#include "asynprox/run/options.h"

#include "cli/arguments.h"
#include "cli/problem.h"

namespace asynprox::cli {

// Everything a run needs.
struct Job {
  BuiltProblem problem;
  Options options;
  std::optional<Dataset> test;
};

Job make_job(const FitArguments& arguments, const Options& options);

}  // namespace asynprox::cli
