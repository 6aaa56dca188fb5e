// All of it: the experiments of the paper's section 5, and those it does not show.
#pragma once

#include <optional>
#include <string>

#include "reproduce/findings.h"
#include "reproduce/study.h"

namespace asynprox::reproduce {

struct ReproductionOptions {
  // Where a9a and mnist are; without them others take their place, which is said.
  std::optional<std::string> data_folder = {};
  // Instead of the two: one data set, as read_dataset takes it.
  std::optional<std::string> data = {};
  bool quick = false;             // in two minutes: fewer seeds, and mnist not everywhere
  std::optional<int> seeds = {};  // 10; quick: 3
  Watch watch = {};
};

// Adds to `findings` as it goes. False if it was interrupted. Throws DataError for data that cannot
// be read, ContractError for options that make no sense.
bool reproduce_all(const ReproductionOptions& options, Findings& findings);

}  // namespace asynprox::reproduce
