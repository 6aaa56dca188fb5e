// What a simulated cluster is like: compute times, network, server, faults.
#pragma once

#include "asynprox/simulator/cluster.h"            // IWYU pragma: export
#include "asynprox/simulator/compute_times/all.h"  // IWYU pragma: export
