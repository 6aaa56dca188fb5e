// What `train` and `simulate` have in common: make the run, tell of it, leave what was asked for.
#pragma once

#include "cli/job.h"
#include "cli/out_folder.h"

namespace asynprox::cli {

// Returns the exit code.
int fit(const TrainArguments& arguments, Job& job, OutFolder& folder);

}  // namespace asynprox::cli
