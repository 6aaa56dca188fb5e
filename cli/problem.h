// The problem that a ProblemSpec names, built: its data is read and treated, and all that the spec
// leaves open is resolved.
#pragma once

#include <cstdint>
#include <string>

#include "asynprox/fit/fit_problem.h"

#include "cli/load.h"

namespace asynprox::cli {

struct BuiltProblem : FitProblem {
  std::string data_fingerprint;  // as it was read
  SpecFiles files;
};

// Slips that can be seen without the data are found before it is read. `seed` chooses the samples
// that are held out.
BuiltProblem build_problem(const ProblemSpec& spec, std::uint64_t seed);

}  // namespace asynprox::cli
