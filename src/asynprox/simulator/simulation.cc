#include "asynprox/simulator/simulation.h"

#include <fmt/format.h>

#include "asynprox/base/errors.h"
#include "asynprox/simulator/virtual_machines.h"

namespace asynprox {
namespace {

class Simulation {
 public:
  Simulation(Server& server, std::vector<Worker>& workers, Monitor& monitor, Recorder& recorder,
             const Cluster& cluster, const Vector& speeds, std::uint64_t seed, VirtualClock& clock)
      : server_(server),
        clock_(clock),
        slots_(workers.size()),
        post_(cluster, seed),
        virtual_server_(server, monitor, recorder, cluster, workers.size(), post_, clock),
        machines_(workers, cluster, speeds, seed, post_) {}

  SimulationReport run() {
    while (!server_.stopped()) {
      if (post_.agenda().empty())
        throw Error(fmt::format("after {} virtual seconds and {} steps no worker is left",
                                clock_.seconds, server_.version()));
      const auto next = post_.agenda().take();
      happen(next.what, next.time);
    }
    return report();
  }

 private:
  void happen(const Happening& what, double now) {
    using Kind = Happening::Kind;
    switch (what.kind) {
      case Kind::at_server: return virtual_server_.arrive(what.number, now);
      case Kind::at_worker: return machines_.arrive(what.number, now);
      case Kind::server_free: return virtual_server_.go_on(now);
      case Kind::enters: return machines_.enter(what.place, now);
      case Kind::computed: return machines_.send_push(what.place, what.number, now);
      case Kind::no_answer: return machines_.ask_again(what.place, what.number, now);
      case Kind::dies: return machines_.die(what.place, what.number, what.until, now);
      case Kind::returns: return machines_.come_back(what.place, now);
    }
  }

  SimulationReport report() const {
    const double seconds = clock_.seconds;
    const auto share = [&](double part, double of) {
      return seconds > 0 ? part / (seconds * of) : 0;
    };
    const auto machines = static_cast<double>(machines_.num_machines());
    const auto slots = static_cast<double>(slots_);
    const Network& network = post_.network();
    return {.server_busy = share(virtual_server_.seconds_busy(), 1),
            .computing = share(machines_.seconds_computing(), machines),
            .on_network = share(post_.seconds_on_way(), slots),
            .at_server = share(virtual_server_.seconds_of_workers(), slots),
            .away = share(machines_.seconds_away(seconds), machines),
            .messages = network.messages(),
            .bytes = network.bytes(),
            .lost = network.lost(),
            .duplicated = network.duplicated(),
            .late = network.late(),
            .deaths = machines_.deaths(),
            .asked_again = machines_.asked_again()};
  }

  Server& server_;
  VirtualClock& clock_;
  std::size_t slots_;
  Post post_;
  VirtualServer virtual_server_;
  VirtualMachines machines_;
};

}  // namespace

SimulationReport run_simulation(Server& server, std::vector<Worker>& workers, Monitor& monitor,
                                Recorder& recorder, const Cluster& cluster, const Vector& speeds,
                                std::uint64_t seed, VirtualClock& clock) {
  const SimulationReport report =
      Simulation(server, workers, monitor, recorder, cluster, speeds, seed, clock).run();
  monitor.finish(server);
  return report;
}

}  // namespace asynprox
