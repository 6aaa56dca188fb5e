// What `train`, `simulate` and `resume` have in common: make the run, tell of it, leave what was asked for.
#pragma once

#include <functional>

#include "asynprox/fit/fit_problem.h"

#include "cli/arguments.h"
#include "cli/job.h"
#include "cli/out_folder.h"

namespace asynprox::cli {

using Solver = std::function<Result(const FitProblem& problem, const Options& options)>;

// `options`: those of the arguments, with what the command adds to them. `solver`: who makes the run,
// the front door unless given. Returns the exit code.
int fit(const FitArguments& arguments, const Options& options, const Solver& solver = nullptr);

// The same, of a job that is made: a run begins, or goes on from a checkpoint.
int make_run(const FitArguments& arguments, Job& job, OutFolder& folder,
             const Solver& solver = nullptr);

}  // namespace asynprox::cli
