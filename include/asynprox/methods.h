// The methods: how pushes become the direction of a step, and what one of your own must have. plain.h
// has server and worker parts that do nothing, to begin with.
#pragma once

#include "asynprox/algorithm/methods/all.h"    // IWYU pragma: export
#include "asynprox/algorithm/methods/plain.h"  // IWYU pragma: export
