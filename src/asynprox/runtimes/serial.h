// The reference runtime: W workers take turns in a fixed round, on the caller's thread. With one
// worker every other runtime gives its iterates bit for bit.
#pragma once

#include <vector>

#include "asynprox/algorithm/server.h"
#include "asynprox/algorithm/worker.h"
#include "asynprox/runtimes/monitor.h"

namespace asynprox {

// Runs until the server stops.
void run_serial(Server& server, std::vector<Worker>& workers, Monitor& monitor, Recorder& recorder);

}  // namespace asynprox
