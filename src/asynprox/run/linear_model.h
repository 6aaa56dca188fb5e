// A data set and a loss as a finite sum, ready for a run.
#pragma once

#include <optional>

#include "asynprox/data/dataset.h"
#include "asynprox/losses/any_loss.h"
#include "asynprox/run/options.h"
#include "asynprox/run/result.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox {

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

ShiftedModel shifted_model(const Dataset& data, const AnyLoss& loss, bool intercept);

// The options with what a data set adds: the default start for this loss, and whether the rows are as they
// were read (Options::rows_as_read).
Options with_start(Options options, const Dataset& data, const AnyLoss& loss);

}  // namespace asynprox
