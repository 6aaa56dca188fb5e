// f of a factor model of ratings, reading ratings, and holding some out.
#pragma once

#include "asynprox/data/readers/ratings.h"  // IWYU pragma: export
#include "asynprox/data/split.h"            // IWYU pragma: export
#include "asynprox/sums/any_finite_sum.h"   // IWYU pragma: export
#include "asynprox/sums/factorization.h"    // IWYU pragma: export
