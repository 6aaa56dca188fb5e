// A worker's side of a run whose messages are frames: answers the server's models by gradients, as long
// as there are any. Knows nothing of what carries them (port.h).
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <optional>

#include "asynprox/algorithm/worker.h"
#include "asynprox/messages/notices.h"
#include "asynprox/run/plan.h"
#include "asynprox/transports/port.h"

namespace asynprox {

// What a worker's loop needs beside the worker.
struct WorkingOptions {
  std::size_t dimension = 0;  // of the model
  // Where the run is paced: samples per second that this worker does at most.
  std::optional<double> samples_per_second = {};
  const std::atomic<bool>* interrupt = nullptr;  // ends pauses; the worker has it for gradients
};

WorkingOptions working_options(const Plan& plan, std::size_t dimension, int worker,
                               const std::atomic<bool>* interrupt);

// After the hello. Returns when the server says that the run is over, or the worker was interrupted.
// Throws what the port and the worker throw, and PeerError for what no server sends.
void work(Worker& worker, const WorkingOptions& options, WorkerPort& port);

// An error as what the server is told of it.
Failure failure_of(const std::exception& error);

}  // namespace asynprox
