// The problem that a ProblemSpec names, built: its data is read and treated, and all that the spec
// leaves open is resolved.
#pragma once

#include <optional>
#include <string>

#include "asynprox/models/fitted_model.h"
#include "asynprox/models/kinds.h"
#include "asynprox/run/problem_spec.h"
#include "asynprox/solve.h"

#include "cli/load.h"

namespace asynprox::cli {

struct BuiltProblem {
  // Resolved: the loss is named, a strength is a number, the label that is +1 and the number of
  // features are those of the data. It builds the same problem again.
  ProblemSpec spec;
  Dataset data;
  std::string data_fingerprint;  // as it was read
  AnyLoss loss = SquaredLoss{};
  ModelKind model;
  std::optional<ModelSum> sum;  // of a model that is not linear
  AnyRegularizer regularizer = Zero{};
  std::optional<SignLabelNames> label_names;  // of a loss that takes signs
  Vector classes;                             // of one that takes classes: their labels
  std::optional<Dataset> held_out;
  Start start = Start::automatic;
  std::optional<Vector> x0;                // where the run begins, if that is a file
  std::optional<FittedModel> start_model;  // or a saved model
  SpecFiles files;
};

// Slips that can be seen without the data are found before it is read. `seed` chooses the samples
// that are held out.
BuiltProblem build_problem(const ProblemSpec& spec, std::uint64_t seed);

Result solve(const BuiltProblem& built, Options options);
Replayed replay(const BuiltProblem& built, const Plan& plan, const EventSource& next_event,
                const std::function<void(const Evaluation&)>& on_evaluation);

FittedModel fitted_model(const BuiltProblem& built, const Vector& x, const Vector& intercept);
FittedModel model_of_zeros(const BuiltProblem& built);

}  // namespace asynprox::cli
