// The problems on which the defaults are judged: the data sets with several losses, regularisers
// and strengths each, from strong to weak.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "asynprox/data/dataset.h"
#include "asynprox/losses/all.h"
#include "asynprox/regularizers/all.h"

namespace asynprox::benchmarks {

struct DefaultsProblem {
  std::string name;  // "a9a logistic l1:0.001": data, loss, regulariser
  std::shared_ptr<const Dataset> data;
  AnyLoss loss;
  AnyRegularizer h;
};

struct DefaultsProblems {
  std::vector<DefaultsProblem> problems;
  std::vector<std::string> absent;  // data sets whose file is not there
};

// Those whose name contains `part`.
DefaultsProblems defaults_problems(const std::string& data_folder, const std::string& part = {});

}  // namespace asynprox::benchmarks
