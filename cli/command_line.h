// From argv to the arguments of a command.
#pragma once

#include <optional>

#include "cli/arguments.h"

namespace asynprox::cli {

struct ParsedCommandLine {
  std::optional<int> exit_code;  // help or the version was printed: nothing is left to do
  Arguments arguments;
};

// Throws ContractError for a command line that makes no sense, with a suggestion where one is near.
ParsedCommandLine parse_command_line(int argc, const char* const* argv);

}  // namespace asynprox::cli
