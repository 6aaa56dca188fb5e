// From the words a user typed to the arguments of a command.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"

namespace asynprox::cli {

struct ParsedCommandLine {
  std::optional<int> exit_code;  // help or the version was printed: nothing is left to do
  Arguments arguments;
};

// Throws ContractError for a command line that makes no sense, with a suggestion where one is near.
// `words` are those after the program's name.
ParsedCommandLine parse_command_line(const std::vector<std::string>& words);

}  // namespace asynprox::cli
