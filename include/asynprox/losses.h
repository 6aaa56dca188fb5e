// The losses, make_loss, and the concepts that a loss of your own must satisfy.
#pragma once

#include "asynprox/losses/all.h"  // IWYU pragma: export
