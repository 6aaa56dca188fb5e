// What a caller of solve() may choose: Options, with defaults that need no tuning.
#pragma once

#include "asynprox/run/options.h"  // IWYU pragma: export
