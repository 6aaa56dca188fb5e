#include "asynprox/solve.h"

#include <fmt/format.h>

#include <algorithm>

#include "asynprox/base/errors.h"
#include "asynprox/data/labels.h"
#include "asynprox/problem/problem.h"
#include "asynprox/run/run.h"
#include "asynprox/sums/label_shift.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox {
namespace {

bool rows_as_read(const Dataset& data) {
  const double mean = static_cast<double>(data.rows.num_nonzeros()) /
                      std::max(1.0, static_cast<double>(data.num_samples()));
  return data.weights.empty() && data.column_scale.empty() && data.center.empty() &&
         mean < 0.5 * static_cast<double>(data.dimension());
}

// A linear model is a finite sum with a usual start, of which the rows are known.
Options with_start(Options options, const Dataset& data, const AnyLoss& loss) {
  if (options.start == Start::automatic)
    options.start = loss.stationary_at_zero() ? Start::uniform : Start::zeros;
  options.rows_as_read = rows_as_read(data);
  return options;
}

// f of a linear model, in labels that may have been shifted (label_shift.h), and by how much. Models given and
// found are in the units of the data's labels.
struct ShiftedModel {
  LinearSum f;
  double shift = 0;

  std::optional<Vector> start(std::optional<Vector> x0) const {
    if (x0 && shift != 0 && x0->size() == f.dimension()) x0->back() -= shift;
    return x0;
  }
  Result result(Result found) const {
    for (double& intercept : found.intercept) intercept += shift;
    return found;
  }
};

ShiftedModel shifted_model(const Dataset& data, const AnyLoss& loss, bool intercept) {
  // Without labels nothing holds a constant back.
  require(!intercept || loss.labels() != Labels::none,
          std::string("intercept: ") + std::string(loss.name()) +
              " has none; centring takes the means off");
  LinearSumOptions shape = {.outputs = 1, .intercept = intercept};
  Vector labels;
  if (loss.labels() == Labels::signs) {
    labels = sign_labels(data.labels, std::nullopt).signs;
  } else if (loss.labels() == Labels::classes) {
    ClassLabels classes = class_labels(data.labels);
    shape.outputs = classes.classes.size();
    labels = std::move(classes.numbers);
  } else {
    labels = data.labels;
  }
  loss.check_labels(labels, shape.outputs);
  const double shift = intercept && loss.of_residual() ? label_shift(labels) : 0;
  for (double& label : labels) label -= shift;
  return {LinearSum(data, std::move(labels), loss, shape), shift};
}

// Prefixes a DataError with the name of the data.
template <class Work>
auto naming(const Dataset& data, Work work) {
  try {
    return work();
  } catch (const DataError& error) {
    throw DataError(data.name + ": " + error.what());
  }
}

}  // namespace

Result solve(const AnyFiniteSum& f, const AnyRegularizer& h, const Options& options) {
  return Run(make_problem(f, h), options).solve();
}

Result solve(const Dataset& data, const AnyLoss& loss, const AnyRegularizer& h,
             const Options& options) {
  return naming(data, [&] {
    const ShiftedModel model = shifted_model(data, loss, options.intercept);
    Options started = with_start(options, data, loss);
    started.x0 = model.start(std::move(started.x0));
    return model.result(solve(model.f, h, started));
  });
}

Vector gradient_at_zero(const Dataset& data, const AnyLoss& loss, const Options& options) {
  return naming(data, [&] {
    const LinearSum f = shifted_model(data, loss, options.intercept).f;
    Vector gradient;
    const Vector zeros(f.dimension(), 0);
    const std::optional<Vector> best = f.best_intercept(zeros);
    if (f.num_free() > 0 && !best)
      throw DataError(
          "labels: the best constant model cannot be told from its neighbours, so that no largest "
          "strength is known; take their mean off the labels");
    value_and_gradient(f, best.value_or(zeros), gradient);
    gradient.resize(f.dimension() - f.num_free());
    return gradient;
  });
}

Replayed replay(const AnyFiniteSum& f, const AnyRegularizer& h, const Plan& plan,
                const EventSource& next_event, const ReplayOptions& options) {
  // A replay compares hashes, which a run keeps only if it is recorded.
  const RunHooks hooks = {.on_evaluation = options.on_evaluation,
                          .on_events = [](std::span<const Event>) {}};
  try {
    return Run(make_problem(f, h), plan, options.x0, hooks).replay(next_event);
  } catch (const ContractError& error) {
    throw DataError(fmt::format("plan: {}", error.what()));  // nobody chose what is wrong
  }
}

Replayed replay(const Dataset& data, const AnyLoss& loss, const AnyRegularizer& h, const Plan& plan,
                const EventSource& next_event, const ReplayOptions& options) {
  return naming(data, [&] {
    const ShiftedModel model = shifted_model(data, loss, plan.problem.intercepts > 0);
    ReplayOptions started = options;
    started.x0 = model.start(options.x0);
    Replayed replayed = replay(model.f, h, plan, next_event, started);
    replayed.result = model.result(std::move(replayed.result));
    return replayed;
  });
}

}  // namespace asynprox
