// f of a small neural network.
#pragma once

#include "asynprox/sums/network.h"  // IWYU pragma: export
