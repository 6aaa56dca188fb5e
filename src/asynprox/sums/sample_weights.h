// Sample weights as finite sums use them: f = sum_i w_i F_i / sum_i w_i.
#pragma once

#include "asynprox/data/dataset.h"
#include "asynprox/linalg/vectors.h"

namespace asynprox {

// The weights of `data` over their mean; empty where they are all one. Throws ContractError, naming
// the data, where they are not one per sample, at least 0, and above 0 somewhere.
Vector mean_one(const Dataset& data);

}  // namespace asynprox
