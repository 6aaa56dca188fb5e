// What `train` and `simulate` have in common: make the run, tell of it, leave what was asked for.
#pragma once

#include "cli/arguments.h"

namespace asynprox::cli {

// `options`: those of the arguments, with what the command adds to them. Returns the exit code.
int fit(const FitArguments& arguments, const Options& options);

}  // namespace asynprox::cli
