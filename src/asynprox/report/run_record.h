// A run written down: run.json, trace.csv, and the same in a few lines for a person.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "asynprox/algorithm/trace.h"
#include "asynprox/base/option_list.h"
#include "asynprox/report/machine.h"
#include "asynprox/run/problem_spec.h"
#include "asynprox/run/result.h"

namespace asynprox {

// Of run.json: what it holds, and what that means.
inline constexpr int kRunSchemaVersion = 2;

// Figures on data that was not trained on, by name; empty ones are undefined there.
using TestFigures = std::vector<std::pair<std::string, std::optional<double>>>;

struct RunRecord {
  Result result;
  SettingList settings;  // every option as it was used
  TestFigures test;      // empty: there was none
  std::string version;
  std::vector<std::string> command_line;
  ProblemSpec problem;           // as it was resolved: nothing is left to be found out
  std::string data_fingerprint;  // of the data as it was read
  std::vector<std::pair<std::string, std::string>> file_hashes;  // of files that specs name
  Machine machine;
  // Of a run that went on from checkpoints: its limits up to each of them.
  std::vector<StoppingRules> stops_before;
};

// The result as one JSON object; infinite numbers are the strings "inf" and "-inf".
std::string result_json(const RunRecord& record);

// All of the record, with a schema version.
std::string run_json(const RunRecord& record);

// seconds,steps,sample_gradients,epochs,objective,gradient_mapping,nonzeros,staleness_max,
// duality_gap
std::string trace_csv(const Trace& trace);

// What a person wants to know, a line for each thing.
struct SummaryOptions {
  // Also what was chosen and why, stationarity, staleness, the paper's theorem and the seed.
  bool verbose = false;
};
std::string summary(const RunRecord& record, const SummaryOptions& options = {});

}  // namespace asynprox
