#include "asynprox/models/user_units.h"

#include "asynprox/base/errors.h"

namespace asynprox {

UserUnits in_user_units(const FittedModel& model) {
  require(model.linear(), "coefficients of columns: expected a linear model, got " + model.model);
  UserUnits units{.coefficients = model.x, .intercepts = model.intercept};
  units.intercepts.resize(model.outputs);
  for (std::size_t j = 0; j < model.dimension(); ++j) {
    for (std::size_t c = 0; c < model.outputs; ++c) {
      double& w_jc = units.coefficients[j * model.outputs + c];
      if (!model.center.empty()) units.intercepts[c] -= model.center[j] * w_jc;
      if (!model.column_scale.empty()) w_jc *= model.column_scale[j];
    }
  }
  return units;
}

}  // namespace asynprox
