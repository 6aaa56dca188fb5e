// What a caller of solve() may choose: Options, with defaults that need no tuning. The options as
// data, and setting one by its name, for programs that offer them to others.
#pragma once

#include "asynprox/run/option_list.h"  // IWYU pragma: export
#include "asynprox/run/options.h"      // IWYU pragma: export
