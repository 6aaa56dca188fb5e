// f of a whole matrix of which some entries are known.
#pragma once

#include "asynprox/sums/matrix_completion.h"  // IWYU pragma: export
