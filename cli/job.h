// What `train` and `replay` make of their arguments before the work begins, so that a slip is found
// early.
#pragma once

#include <optional>
#include <string>

#include "asynprox/models/fitted_model.h"
#include "asynprox/solve.h"

#include "cli/arguments.h"
#include "cli/load.h"

namespace asynprox::cli {

// Everything a run needs.
struct Job {
  Dataset data;
  std::string data_fingerprint;  // as it was read
  std::string loss_spec;
  AnyLoss loss = SquaredLoss{};
  AnyRegularizer regularizer = Zero{};
  std::optional<SignLabelNames> label_names;
  std::optional<Dataset> test;
  Options options;
  SpecFiles files;
};

Job make_job(const TrainArguments& arguments);

FittedModel fitted_model(const TrainArguments& arguments, const Job& job, const Vector& x);

}  // namespace asynprox::cli
