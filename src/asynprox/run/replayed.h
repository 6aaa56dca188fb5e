// A run made again from its plan and its events, and how it compares with the record.
#pragma once

#include "asynprox/run/result.h"
#include "asynprox/runtimes/comparison.h"

namespace asynprox {

struct Replayed {
  Result result;
  Comparison comparison;
};

}  // namespace asynprox
