// The runtime loopback: the server on the caller's thread, each worker on a thread of its own, and every
// message between them as bytes through a socket. It is what runs on clusters, without the cluster: the
// same serving and working, the same frames.
#pragma once

#include "asynprox/problem/problem.h"
#include "asynprox/run/options.h"
#include "asynprox/run/result.h"

namespace asynprox {

// Throws what a worker has thrown.
Result run_loopback(Problem problem, const Options& options);

}  // namespace asynprox
