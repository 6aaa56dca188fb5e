// What an f of your own must have, and AnyFiniteSum, which holds any of them.
#pragma once

#include "asynprox/sums/any_finite_sum.h"  // IWYU pragma: export
#include "asynprox/sums/finite_sum.h"      // IWYU pragma: export
