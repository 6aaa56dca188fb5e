// The regularisers h, make_regularizer, and the concepts that one of your own must satisfy.
#pragma once

#include "asynprox/regularizers/all.h"  // IWYU pragma: export
