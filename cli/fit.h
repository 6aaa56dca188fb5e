// What `train`, `simulate` and `resume` have in common: make the run, tell of it, leave what was asked for.
#pragma once

#include "cli/arguments.h"
#include "cli/job.h"
#include "cli/out_folder.h"

namespace asynprox::cli {

// `options`: those of the arguments, with what the command adds to them. Returns the exit code.
int fit(const FitArguments& arguments, const Options& options);

// The same, of a job that is made: a run begins, or goes on from a checkpoint.
int make_run(const FitArguments& arguments, Job& job, OutFolder& folder);

}  // namespace asynprox::cli
