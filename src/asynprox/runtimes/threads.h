// One thread per worker. The pure server stands behind one lock, which a worker holds while it hands
// over a push and takes the newest model, never while it computes a gradient.
#pragma once

#include <vector>

#include "asynprox/algorithm/server.h"
#include "asynprox/algorithm/worker.h"
#include "asynprox/runtimes/monitor.h"
#include "asynprox/runtimes/recorder.h"
#include "asynprox/runtimes/run_options.h"

namespace asynprox {

// Runs until the server stops, and every thread has ended. Throws what a worker has thrown.
void run_threads(Server& server, std::vector<Worker>& workers, Monitor& monitor, Recorder& recorder,
                 const RunOptions& options);

}  // namespace asynprox
