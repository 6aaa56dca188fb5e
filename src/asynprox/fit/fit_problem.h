// A problem of data: what a ProblemSpec and a data set in memory make together. The command line
// reads the data from a file, Python borrows it from the caller.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "asynprox/checkpoints.h"
#include "asynprox/data/dataset.h"
#include "asynprox/models/fitted_model.h"
#include "asynprox/models/kinds.h"
#include "asynprox/run/problem_spec.h"
#include "asynprox/run_record.h"
#include "asynprox/solve.h"

namespace asynprox {

struct FitProblem {
  // Resolved: the loss is named, a strength is a number, the label that is +1 and the number of
  // features are those of the data. It builds the same problem again.
  ProblemSpec spec;
  Dataset data;
  AnyLoss loss = SquaredLoss{};
  ModelKind model;
  std::optional<ModelSum> sum;  // of a model that is not linear
  AnyRegularizer regularizer = Zero{};
  std::optional<SignLabelNames> label_names;  // of a loss that takes signs
  Vector classes;                             // of one that takes classes: their labels
  std::optional<Dataset> held_out;
  Start start = Start::automatic;
  std::optional<Vector> x0;           // where the run begins, if that was given as numbers
  std::vector<std::string> warnings;  // about choices that were made for the caller
};

// What the spec of a problem does not hold.
struct FitInputs {
  ReadNumbers read = nullptr;                      // the files that the regulariser names
  std::optional<AnyRegularizer> regularizer = {};  // the caller's own, instead of the spec's
  std::uint64_t seed = 1;                          // chooses the samples that are held out
};

// What a spec says without its data, made before the data is read: mistakes are found early, and
// the files that a regulariser names are read once.
struct EarlyChoices {
  ModelKind model = {};
  Spec regularizer_spec = {};
  std::optional<AnyRegularizer> regularizer = {};  // unless it depends on the data
  std::optional<AnyLoss> loss = {};                // unless it follows from the labels
};

// Throws ContractError for mistakes that can be found without the data.
EarlyChoices make_early_choices(const ProblemSpec& spec, const FitInputs& inputs = {});

// The problem, from data as it was read (data.weights set already). Where the run begins is not
// looked at: see begin_with_model(), FitProblem::start and FitProblem::x0. Throws ContractError for
// choices that do not fit each other or the data, DataError for data that cannot be used.
FitProblem make_fit_problem(const ProblemSpec& spec, const EarlyChoices& early, Dataset data,
                            const FitInputs& inputs);
FitProblem make_fit_problem(const ProblemSpec& spec, Dataset data, const FitInputs& inputs);

// The run begins with a saved model, converted to the treatment of this problem's data.
// ContractError where they do not fit.
void begin_with_model(const FittedModel& saved, FitProblem& problem);

// Throws DataError where the memory of this machine cannot hold a linear model of this data: a few
// bytes of data may name a very large column.
void check_room_for_model(const Dataset& data, std::size_t outputs);

Result solve(const FitProblem& problem, Options options);
// `options`: but for x0, which is the problem's.
Replayed replay(const FitProblem& problem, const Plan& plan, const EventSource& next_event,
                const ReplayOptions& options = {});
Result resume(const FitProblem& problem, const Plan& plan, const RunState& state,
              const ResumeOptions& options = {});

FittedModel fitted_model(const FitProblem& problem, const Vector& x, const Vector& intercept);
FittedModel model_of_zeros(const FitProblem& problem);

}  // namespace asynprox
