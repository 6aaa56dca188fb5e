// What `train` and `replay` make of their arguments before the work begins, so that a slip is found
// early.
#pragma once

#include <optional>
#include <string>

#include "asynprox/models/fitted_model.h"
#include "asynprox/models/kinds.h"
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
  ModelKind model;
  std::optional<ModelSum> sum;   // of a model that is not linear
  std::string regularizer_spec;  // with numbers where a share of the largest strength was given
  AnyRegularizer regularizer = Zero{};
  std::optional<SignLabelNames> label_names;  // of a loss that takes signs
  Vector classes;                             // of one that takes classes: their labels
  std::optional<Dataset> test;
  Options options;
  std::optional<FittedModel> start;  // where the run begins, if that is a saved model
  SpecFiles files;
};

Job make_job(const TrainArguments& arguments);

Result solve(const Job& job);
Replayed replay(const Job& job, const EventSource& next_event);

FittedModel fitted_model(const TrainArguments& arguments, const Job& job, const Vector& x,
                         const Vector& intercept);

}  // namespace asynprox::cli
