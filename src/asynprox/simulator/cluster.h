// A virtual cluster: how fast its machines compute, what its network and its server cost, and what
// goes wrong. Times are virtual seconds.
#pragma once

#include <limits>
#include <vector>

#include "asynprox/linalg/vectors.h"
#include "asynprox/simulator/compute_times/all.h"

namespace asynprox {

// Worker `worker` is gone from `from` to `until`, with all that it was doing.
struct Outage {
  int worker = 0;
  double from = 0;
  double until = std::numeric_limits<double>::infinity();
};

// What goes wrong by chance. Probabilities are of each message; deaths a second, of each worker.
struct Faults {
  double loss = 0;         // it never arrives
  double duplication = 0;  // it arrives twice
  double reordering = 0;   // it is late, by up to `lateness`, and others overtake it
  double lateness = 0.1;   // seconds
  double deaths = 0;
  double away = 1;  // seconds until a dead worker returns, on average

  bool of_messages() const { return loss > 0 || duplication > 0 || reordering > 0; }
};

struct Cluster {
  AnyComputeTime compute = LognormalTime{};  // of a push, on a machine of speed 1
  Vector speeds = {};                        // of the workers; of those not listed, 1

  // The network: a message takes latency + bytes / rate. Up is to the server.
  double latency_up = 1e-4;
  double latency_down = 1e-4;
  double rate_up = 1.25e8;  // bytes a second: 1 Gbit/s
  double rate_down = 1.25e8;

  // The server, which does one thing at a time.
  double push_seconds = 0;
  double step_seconds = 0;

  bool fused = true;       // a push is answered by the model; else push and pull are two messages
  bool pipelined = false;  // a worker asks for its next model while it computes

  std::vector<Outage> outages = {};
  Faults faults = {};
  double detection = 0.1;  // seconds until the server knows that a worker has died
  double timeout = 1;      // seconds after which a worker that was not answered asks again
};

// Throws ContractError, naming the number, where one makes no sense for so many workers.
void check_cluster(const Cluster& cluster, int workers);

// How the virtual machines spent their time, in shares of the run's; and what happened.
struct SimulationReport {
  double server_busy = 0;
  double computing = 0;   // of the workers, on average
  double on_network = 0;  // waiting for a message on its way
  double at_server = 0;   // waiting for the server to come to it, or held by the bound
  double away = 0;
  std::int64_t messages = 0;
  double bytes = 0;
  std::int64_t lost = 0, duplicated = 0, late = 0, deaths = 0, asked_again = 0;
};

}  // namespace asynprox
