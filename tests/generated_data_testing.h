// Small sparse data with a planted model, which many runs of the tests fit.
#pragma once

#include "asynprox/data/dataset.h"

namespace asynprox {

inline const Dataset& generated() {
  static const Dataset data =
      read_dataset("generate:sparse-logistic:n=2000,d=300,nonzeros=10,seed=3");
  return data;
}

}  // namespace asynprox
