#include "asynprox/run/linear_model.h"

#include <algorithm>
#include <string>
#include <utility>

#include "asynprox/base/errors.h"
#include "asynprox/data/labels.h"
#include "asynprox/sums/label_shift.h"

namespace asynprox {
namespace {

bool rows_as_read(const Dataset& data) {
  const double mean = static_cast<double>(data.rows.num_nonzeros()) /
                      std::max(1.0, static_cast<double>(data.num_samples()));
  return data.weights.empty() && data.column_scale.empty() && data.center.empty() &&
         mean < 0.5 * static_cast<double>(data.dimension());
}

}  // namespace

Options with_start(Options options, const Dataset& data, const AnyLoss& loss) {
  if (options.start == Start::automatic)
    options.start = loss.stationary_at_zero() ? Start::uniform : Start::zeros;
  options.rows_as_read = rows_as_read(data);
  return options;
}

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

}  // namespace asynprox
