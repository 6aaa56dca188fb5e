// A virtual cluster: how fast its machines compute, what its network and its server cost, and what
// goes wrong. Times are virtual seconds.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "asynprox/base/option.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/simulator/compute_times/any_compute_time.h"
#include "asynprox/simulator/compute_times/lognormal.h"

namespace asynprox {

// Worker `worker` is gone from `from` to `until`, with all that it was doing.
struct Outage {
  int worker = 0;
  double from = 0;
  double until = std::numeric_limits<double>::infinity();
};

// What goes wrong by chance: probabilities per message; deaths per second and worker.
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
        parameter(&Faults::deaths, "deaths", at_least(0), "per second, of a worker"),
        parameter(&Faults::away, "away", above(0), "seconds until it returns, on average"));
  }

  bool of_messages() const { return loss > 0 || duplication > 0 || reordering > 0; }
};

using AllFaults = Family<Faults>;

Faults make_faults(const Spec& spec);

// As options write them: 3/0.5/2,5/1 for worker 3 from 0.5 to 2, and 5 from 1 on. "" for none.
std::vector<Outage> outages_from_text(std::string_view text, const std::string& what,
                                      const ReadNumbers& read);
std::string outages_text(const std::vector<Outage>& outages);
Faults faults_from_text(std::string_view text, const std::string& what, const ReadNumbers& read);
std::string faults_text(const Faults& faults);

struct Cluster {
  AnyComputeTime compute = LognormalTime{};  // of a push, on a machine of speed 1

  // The network: a message takes latency + bytes / rate. Up is to the server.
  double latency_up = 1e-4;
  double latency_down = 1e-4;
  double rate_up = 1.25e8;  // bytes per second: 1 Gbit/s
  double rate_down = 1.25e8;

  // The server, which does one thing at a time.
  double push_seconds = 0;
  double step_seconds = 0;

  bool fused = true;       // a push is answered by the model; else push and pull are two messages
  bool pipelined = false;  // a worker has two gradients under way: one travels, one is computed

  std::vector<Outage> outages = {};
  Faults faults = {};
  double detection = 0.1;  // seconds until the server knows that a worker has died
  // Seconds after which a worker that was not answered asks again; longer while more than 32
  // messages from and to it are on their way. A run ends with ContractError where its virtual time
  // has become so large that adding this does not change it.
  double timeout = 1;

  // check_cluster() knows the bounds.
  static constexpr auto options() {
    return std::tuple(
        option(&Cluster::compute, "compute", spec_form<AnyComputeTime, make_compute_time>(),
               "how long a push takes, by samples per second; see 'asynprox list compute-times'",
               "lognormal, that is lognormal:81920,cv=0.2: an assumed pace"),
        option(&Cluster::latency_up, "latency_up", any_number(),
               "seconds that a message to the server takes"),
        option(&Cluster::latency_down, "latency_down", any_number(),
               "seconds that a message from the server takes"),
        option(&Cluster::rate_up, "rate_up", any_number(), "bytes per second to the server"),
        option(&Cluster::rate_down, "rate_down", any_number(), "bytes per second from the server"),
        option(&Cluster::push_seconds, "push_seconds", any_number(),
               "seconds of the server per push"),
        option(&Cluster::step_seconds, "step_seconds", any_number(),
               "seconds of the server per step"),
        option(&Cluster::fused, "separate_pull", Flag{.value = false},
               "a push is not answered by the model: that is asked for by a message of its own"),
        option(&Cluster::pipelined, "pipelined", Flag{},
               "a worker has two gradients under way: one travels while the other is computed"),
        option(&Cluster::outages, "outages",
               Form<std::vector<Outage>>{.type = "list",
                                         .placeholder = "W/FROM/UNTIL",
                                         .parse = outages_from_text,
                                         .text = outages_text},
               "workers, from 0, that are gone for a time or for ever: 3/0.5/2,5/1", "none"),
        option(&Cluster::faults, "faults",
               Form<Faults>{.type = "spec",
                            .placeholder = "SPEC",
                            .parse = faults_from_text,
                            .text = faults_text},
               "what goes wrong by chance, for example random:loss=0.01,deaths=0.1; see 'asynprox "
               "list faults'",
               "nothing"),
        option(&Cluster::detection, "detection", any_number(),
               "seconds until the server knows that a worker has died"),
        option(&Cluster::timeout, "timeout", any_number(),
               "seconds after which a worker without an answer asks again"));
  }
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
