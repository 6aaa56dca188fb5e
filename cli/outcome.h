// What a finished run says to whoever started it: the exit code, and a warning where the tolerance
// was not met.
#pragma once

#include <optional>
#include <string>

#include "asynprox/run/result.h"

#include "cli/arguments.h"
#include "cli/signals.h"

namespace asynprox::cli {

// "not converged: ...", with the gap and what to try, if a tolerance was asked for, or no limit at
// all, and it was not met; "diverged: ..." if there is no model worth having.
std::optional<std::string> outcome_warning(const FitArguments& arguments, const Result& result);

int exit_code_of(const FitArguments& arguments, const Result& result, const SignalWatch& signals);

}  // namespace asynprox::cli
