// A model, and what a pass over the data finds of it.
#pragma once

#include "asynprox/base/fields.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/problem/problem.h"

namespace asynprox {

struct EvaluatedModel {
  Vector x;
  Vector outputs;   // of every sample, where f has such and they are wanted
  Vector scalars;   // dF/du of each of them
  Vector gradient;  // of f
  Objective objective;
};

template <IsA<EvaluatedModel> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("x", part.x);
  visit("outputs", part.outputs);
  visit("scalars", part.scalars);
  visit("gradient", part.gradient);
  visit("loss", part.objective.loss);
  visit("regularizer", part.objective.regularizer);
}

}  // namespace asynprox
