// The reference runtime: W workers take turns in a fixed round, on the caller's thread. With one
// worker every other runtime gives its iterates bit for bit.
//
// With given delays it is Algorithm 2 of the paper: the workers take turns push by push, and a push
// is computed at the model that tau(k, i) names, one of the newest T + 1.
#pragma once

#include <vector>

#include "asynprox/algorithm/server.h"
#include "asynprox/algorithm/worker.h"
#include "asynprox/runtimes/monitor.h"
#include "asynprox/runtimes/run_options.h"

namespace asynprox {

// Runs until the server stops.
void run_serial(Server& server, std::vector<Worker>& workers, Monitor& monitor, Recorder& recorder,
                const RunOptions& options = {});

}  // namespace asynprox
