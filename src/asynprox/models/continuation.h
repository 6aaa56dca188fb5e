// A saved model as the first one of another run, whose data may be treated and ordered differently.
#pragma once

#include "asynprox/linalg/vectors.h"
#include "asynprox/models/fitted_model.h"

namespace asynprox {

// What the run that begins there is about: a model of zeros, with the treatment of its data, and
// whether it fits intercepts.
struct NextRun {
  FittedModel model;
  bool intercept = false;
};

// x of a model that gives the same scores as `saved`, followed by its intercepts where the run fits
// them. Features that have names on both sides are matched by these. A linear model is converted
// between column scales and centres, as user_units.h says; where both are the same, so are the
// bits.
//
// Throws ContractError, "expected ..., got ...", where there is no such x: another kind of model,
// other features, outputs or labels; rows that are normalised on one side only; a constant part
// without a place, because the run fits no intercepts; for models that are not linear, any other
// treatment of the data.
Vector continued(const FittedModel& saved, const NextRun& next);

}  // namespace asynprox
