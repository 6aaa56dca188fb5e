// Runs recorded events again, on one thread, with the same server and workers, and compares: what
// became of each push, a hash of what the steps wrote, and the whole model at each evaluation and
// at the end.
#pragma once

#include <vector>

#include "asynprox/algorithm/event.h"
#include "asynprox/algorithm/server.h"
#include "asynprox/algorithm/worker.h"
#include "asynprox/runtimes/comparison.h"
#include "asynprox/runtimes/monitor.h"
#include "asynprox/runtimes/run_options.h"

namespace asynprox {

// The server and the workers are as they were when the recorded run began, or at the seam of the leg
// before, if that is given in the options.
ReplayedLeg run_replay(Server& server, std::vector<Worker>& workers, Monitor& monitor,
                       const EventSource& next_event, const RunOptions& options);

}  // namespace asynprox
