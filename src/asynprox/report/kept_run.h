// What a checkpoint keeps of the run that made it: enough to make its problem and its parts again, and to
// report on it in the end as if it had not been interrupted.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "asynprox/base/family.h"
#include "asynprox/report/machine.h"
#include "asynprox/run/plan.h"
#include "asynprox/run/problem_spec.h"

namespace asynprox {

struct KeptRun {
  std::string command;  // train or simulate
  std::vector<std::string> command_line;
  std::map<std::string, std::string, std::less<>> given;  // options by name, as they were written
  ProblemSpec problem;                                    // resolved
  Plan plan;
  std::vector<StoppingRules> stops_before;                       // see RunRecord
  std::vector<std::pair<std::string, std::string>> file_hashes;  // of files that specs name
  Build build;
  bool recorded = true;  // its events are in events.log
};

// One JSON object.
std::string kept_run_json(const KeptRun& run);

// Throws DataError for what kept_run_json() does not write. `read`: the files that delays name.
KeptRun kept_run_from_json(std::string_view text, const ReadNumbers& read);

}  // namespace asynprox
