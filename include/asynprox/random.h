// Random numbers that are the same on every machine.
#pragma once

#include "asynprox/base/random.h"  // IWYU pragma: export
