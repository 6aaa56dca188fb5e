// run.json, read back as far as the run can be made again from it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace asynprox {

// An option as used, by its long name without dashes; without a value it is a flag.
struct RecordedSetting {
  std::string name;
  std::optional<std::string> value;
};

struct RecordedRun {
  std::vector<RecordedSetting> settings;  // those that were not used are left out
  std::string data_path;
  std::string data_fingerprint;
  std::vector<std::pair<std::string, std::string>> file_hashes;
};

// Throws DataError.
RecordedRun read_run(const std::string& path);

}  // namespace asynprox
