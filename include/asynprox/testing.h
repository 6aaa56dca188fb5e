// The laws that the library's own losses, regularisers, finite sums and methods are tested by, for
// those of your own. They need GoogleTest, and fmt.
#pragma once

#include "asynprox/losses/loss_laws_testing.h"               // IWYU pragma: export
#include "asynprox/method_laws_testing.h"                    // IWYU pragma: export
#include "asynprox/regularizers/regularizer_laws_testing.h"  // IWYU pragma: export
#include "asynprox/sums/finite_sum_laws_testing.h"           // IWYU pragma: export
