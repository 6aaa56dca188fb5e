// run.json, read back as far as the run can be made again from it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace asynprox {

struct RecordedRun {
  // Options as used, by their long names without dashes; those that were not used are left out.
  std::vector<std::pair<std::string, std::string>> settings;
  std::string data_path;
  std::string data_fingerprint;
  std::vector<std::pair<std::string, std::string>> file_hashes;
};

// Throws DataError.
RecordedRun read_run(const std::string& path);

}  // namespace asynprox
