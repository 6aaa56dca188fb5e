// What came of a run: Result, its trace, its certificates and the conditions of the theorem.
#pragma once

#include "asynprox/run/result.h"  // IWYU pragma: export
