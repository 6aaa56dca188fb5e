// The problem of a run that was recorded, built again, and whether it is the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/problem.h"

namespace asynprox::cli {

// `data`: instead of the path that was recorded. `record`: the file that names the problem, for messages.
// Throws DataError.
BuiltProblem rebuild_problem(ProblemSpec spec, const std::optional<std::string>& data,
                             std::uint64_t seed, const std::string& record);

struct RecordedInputs {
  std::string data_fingerprint;
  std::vector<std::pair<std::string, std::string>> file_hashes;
};

// Throws DataError where the data, or a file that specs name, has changed. `others`: files that are not
// the problem's.
void require_same_inputs(const RecordedInputs& recorded, const BuiltProblem& problem,
                         const SpecFiles& others);

}  // namespace asynprox::cli
