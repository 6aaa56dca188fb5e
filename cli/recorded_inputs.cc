#include "cli/recorded_inputs.h"

#include <fmt/format.h>

#include <algorithm>

#include "asynprox/base/errors.h"

namespace asynprox::cli {

BuiltProblem rebuild_problem(ProblemSpec spec, const std::optional<std::string>& data,
                             std::uint64_t seed, const std::string& record) {
  if (data) spec.data.path = *data;
  if (spec.data.path.empty())
    throw DataError(record + ": problem.data.path: expected the data of the run, got nothing");
  return naming<ContractError>(record, [&] { return build_problem(spec, seed); });
}

void require_same_inputs(const RecordedInputs& recorded, const BuiltProblem& problem,
                         const SpecFiles& others) {
  if (problem.data_fingerprint != recorded.data_fingerprint)
    throw DataError(fmt::format("{}: expected the data of the run, fingerprint {}, got {}",
                                problem.data.name, recorded.data_fingerprint,
                                problem.data_fingerprint));
  for (const auto& file : recorded.file_hashes) {
    const auto has = [&](const SpecFiles& files) {
      return std::ranges::find(files.hashes(), file) != files.hashes().end();
    };
    if (!has(problem.files) && !has(others))
      throw DataError(fmt::format("{}: this file has changed since the run", file.first));
  }
}

}  // namespace asynprox::cli
