// run.json, read back as far as the run can be made again from it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "asynprox/algorithm/stopping.h"
#include "asynprox/run/problem_spec.h"

namespace asynprox {

struct RecordedRun {
  ProblemSpec problem;
  std::string plan_json;  // see run/json.h: reading it may need the files that delays name
  std::string data_fingerprint;
  std::vector<std::pair<std::string, std::string>> file_hashes;
  std::vector<StoppingRules> stops_before;  // see RunRecord
};

// Throws DataError.
RecordedRun read_run(const std::string& path);

}  // namespace asynprox
