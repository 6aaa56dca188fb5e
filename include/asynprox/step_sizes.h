// The rules that give the step size eta_k.
#pragma once

#include "asynprox/step_sizes/all.h"  // IWYU pragma: export
