// What `train` and `simulate` have in common: make the run, tell of it, leave what was asked for.
#pragma once

#include <functional>

#include "asynprox/fit/fit_problem.h"

#include "cli/arguments.h"

namespace asynprox::cli {

using Solver = std::function<Result(const FitProblem& problem, const Options& options)>;

// `options`: those of the arguments, with what the command adds to them. `solver`: who makes the run,
// the front door unless given. Returns the exit code.
int fit(const FitArguments& arguments, const Options& options, const Solver& solver = nullptr);

}  // namespace asynprox::cli
