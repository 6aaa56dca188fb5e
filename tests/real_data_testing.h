// Real data for tests: the folder that ASYNPROX_DATA_DIR names.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <string>

#include "asynprox/data/dataset.h"

namespace asynprox {

inline std::optional<std::string> data_folder() {
  const char* folder = std::getenv("ASYNPROX_DATA_DIR");
  return folder ? std::optional<std::string>(folder) : std::nullopt;
}

// Each file is read once a test program.
inline const Dataset& real_data(const std::string& file, const ReadOptions& options = {}) {
  static std::map<std::string, Dataset> read;
  const auto place = read.find(file);
  if (place != read.end()) return place->second;
  return read.emplace(file, read_dataset(*data_folder() + "/" + file, options)).first->second;
}

}  // namespace asynprox

// In a test: ends it, saying so, where there is no real data.
#define ASYNPROX_NEEDS_REAL_DATA()                                             \
  if (!asynprox::data_folder()) {                                              \
    GTEST_SKIP() << "ASYNPROX_DATA_DIR is not set: no test on real data here"; \
  }
