// Given delays: the staleness of each gradient, chosen by the caller (Algorithm 2).
#pragma once

#include "asynprox/delays/all.h"  // IWYU pragma: export
