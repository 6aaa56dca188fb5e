// For the tests of this folder: a model, evaluated.
#pragma once

#include <utility>

#include "asynprox/problem/evaluated_model.h"

namespace asynprox {

inline EvaluatedModel evaluated(const Problem& problem, Vector x) {
  EvaluatedModel model;
  model.x = std::move(x);
  model.outputs.resize(problem.f.num_samples() * problem.f.outputs());
  model.scalars.resize(model.outputs.size());
  model.objective.loss = value_and_gradient_sums(problem.f, model.x, 0, 1, model.gradient,
                                                 model.outputs, model.scalars) /
                         static_cast<double>(problem.f.num_samples());
  scale(model.gradient, 1 / static_cast<double>(problem.f.num_samples()));
  model.objective.regularizer = problem.h.value(model.x);
  return model;
}

}  // namespace asynprox
