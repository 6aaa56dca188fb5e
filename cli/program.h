// What the programs have in common: their errors become words and exit codes.
#pragma once

#include <functional>

#include "cli/arguments.h"

namespace asynprox::cli {

// Runs the command of a command line, by `run_command`, and returns the exit code.
int run_program(int argc, char** argv, const std::function<int(const Arguments&)>& run_command);

// Returns what `work` returns, or the exit code of the error that it throws, once that is said.
int guarded(const std::function<int()>& work);

// The command, on its own.
int run_command(const Arguments& arguments);

}  // namespace asynprox::cli
