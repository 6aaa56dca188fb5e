// A virtual cluster: how fast its machines compute, what its network and its server cost, and what
// goes wrong. Times are virtual seconds.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <tuple>
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
  static constexpr std::string_view name = "random";
  static constexpr std::string_view formula = "messages and workers fail, each by its own chance";
  double loss = 0;
  double duplication = 0;
  double reordering = 0;
  double lateness = 0.1;
  double deaths = 0;
  double away = 1;

  static constexpr auto parameters() {
    constexpr Bounds chance = {.lower = 0, .upper = 1};
    return std::tuple(
        parameter(&Faults::loss, "loss", chance, "of a message: it never arrives"),
        parameter(&Faults::duplication, "duplication", chance, "it arrives twice"),
        parameter(&Faults::reordering, "reordering", chance, "it is late, and overtaken"),
        parameter(&Faults::lateness, "lateness", at_least(0), "seconds by which it is, at most"),
        parameter(&Faults::deaths, "deaths", at_least(0), "of a worker, a second"),
        parameter(&Faults::away, "away", above(0), "seconds until it returns, on average"));
  }

  bool of_messages() const { return loss > 0 || duplication > 0 || reordering > 0; }
};

using AllFaults = Family<Faults>;

Faults make_faults(const Spec& spec);

struct Cluster {
  AnyComputeTime compute = LognormalTime{};  // of a push, on a machine of speed 1

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
  // Seconds after which a worker that was not answered asks again; longer while more than 32
  // messages from and to it are on their way. A run ends with ContractError where its virtual time
  // has become so large that adding this does not change it.
  double timeout = 1;
};

// Throws ContractError, naming the number, where one makes no sense for so many workers. Rates are
// at least kSpeedMin, and times at most its inverse.
void check_cluster(const Cluster& cluster, int workers);

// How the virtual machines spent their time, in shares of the run's; and what happened.
struct SimulationReport {
  double samples_per_second = 0;  // of a worker of speed 1
  double server_busy = 0;
  double computing = 0;   // of the workers, on average
  double on_network = 0;  // waiting for a message on its way
  double at_server = 0;   // waiting for the server to come to it, or held by the bound
  double away = 0;
  std::int64_t messages = 0;
  double bytes = 0;
  bool no_worker_left = false;  // the run ended since every worker was gone for ever
  std::int64_t lost = 0, duplicated = 0, late = 0, deaths = 0, asked_again = 0;
};

}  // namespace asynprox
