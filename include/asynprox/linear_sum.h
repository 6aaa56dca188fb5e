// f of a linear model: a loss of the predictions <z_i, x>, averaged over the samples.
#pragma once

#include "asynprox/sums/any_finite_sum.h"  // IWYU pragma: export
#include "asynprox/sums/linear_sum.h"      // IWYU pragma: export
