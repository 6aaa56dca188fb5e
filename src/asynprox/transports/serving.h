// The server's side of a run whose workers send frames: brings them to a ServedRun, and sends what it
// says in return. Knows nothing of what carries them (port.h).
//
//   hello     is compared with ours; a worker that differs is refused
//   pull      the worker's life begins
//   push      answered by a model, now or later
//   failure   ends the run with the worker's error
//   farewell  the worker was interrupted, and leaves
//
// A worker that the port reports as lost leaves the run, and the others go on. When it is heard of
// again it is told to begin another life; what it still sends of the earlier one is refused as fenced.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "asynprox/messages/hello.h"
#include "asynprox/run/served_run.h"
#include "asynprox/transports/port.h"

namespace asynprox {

// What became of the workers.
struct Attendance {
  std::vector<bool> missing;          // by worker: it does not know that the run is over
  std::vector<std::string> warnings;  // about workers that were lost or returned
};

// Returns once the run is over and every worker that is not lost knows; after an interrupt, a moment later
// at most. `interrupt` counts before the run has begun, too.
// Throws PeerError, naming the worker, where one is refused, sends what no worker sends, is lost before
// the run began, or is the last; and a worker's own error as what it was, with its name before it.
Attendance serve(ServedRun& run, const Hello& ours, int workers, ServerPort& port,
                 const std::atomic<bool>* interrupt);

}  // namespace asynprox
