// The rules by which workers draw the samples of a minibatch.
#pragma once

#include "asynprox/sampling/all.h"  // IWYU pragma: export
