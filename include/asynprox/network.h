// f of a small neural network.
#pragma once

#include "asynprox/sums/any_finite_sum.h"  // IWYU pragma: export
#include "asynprox/sums/network.h"         // IWYU pragma: export
