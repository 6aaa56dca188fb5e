// f of a whole matrix of which some entries are known.
#pragma once

#include "asynprox/sums/any_finite_sum.h"     // IWYU pragma: export
#include "asynprox/sums/matrix_completion.h"  // IWYU pragma: export
