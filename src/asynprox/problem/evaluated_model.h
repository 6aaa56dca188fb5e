// A model, and what a pass over the data finds of it.
#pragma once

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

}  // namespace asynprox
