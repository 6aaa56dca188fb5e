// The rules by which workers draw the samples of their pushes.
#pragma once

#include "asynprox/sampling/all.h"  // IWYU pragma: export
