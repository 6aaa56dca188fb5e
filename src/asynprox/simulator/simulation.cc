#include "asynprox/simulator/simulation.h"

#include <fmt/format.h>

#include "asynprox/base/errors.h"
#include "asynprox/simulator/virtual_machines.h"

namespace asynprox {
namespace {

// A run ends with an error after so many deaths without an accepted push. Each life leaves messages
// behind that may be on their way for ever: this bounds the memory that they take, too.
constexpr std::int64_t kDeathsInVainMax = 10'000;
constexpr std::int64_t kDeathsInVainPerMachine = 100;

class Simulation {
 public:
  Simulation(Server& server, std::vector<Worker>& workers, Monitor& monitor, Recorder& recorder,
             const Cluster& cluster, const Vector& speeds, std::uint64_t seed, VirtualClock& clock)
      : server_(server),
        workers_(workers),
        monitor_(monitor),
        samples_per_second_(cluster.compute.rate()),
        clock_(clock),
        slots_(workers.size()),
        post_(cluster, seed),
        virtual_server_(server, monitor, recorder, cluster, workers.size(), post_, clock),
        machines_(workers, cluster, speeds, seed, post_) {}

  SimulationReport run(const RunState* resumed) {
    if (resumed) monitor_.restore_state(*resumed, virtual_server_.session(), workers_, *this);
    // Of a run that goes on, with its own limit.
    if (const auto seconds = monitor_.seconds_to_limit(); seconds && clock_.seconds + *seconds >= 0)
      post_.agenda().note(clock_.seconds + *seconds, {.kind = Happening::Kind::time_is_up});
    bool no_worker_left = false;
    while (!server_.stopped()) {
      no_worker_left = post_.agenda().empty();
      if (!no_worker_left && monitor_.checkpoint_due(server_)) make_checkpoint();
      // Messages that all get lost never come to the server, which looks itself when one comes.
      if (no_worker_left || monitor_.wanted_to_end()) {
        Replies replies;
        server_.stop(StopReason::interrupted, replies);
        break;
      }
      const auto next = post_.agenda().take();
      happen(next.what, next.time);
    }
    SimulationReport made = report();
    made.samples_per_second = samples_per_second_;
    made.no_worker_left = no_worker_left;
    return made;
  }

  // Messages on their way, and what else is to happen.
  template <IsA<Simulation> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    visit("post", part.post_);
    visit("server", part.virtual_server_);
    visit("machines", part.machines_);
    visit("accepted", part.accepted_);
    visit("deaths_then", part.deaths_then_);
  }

 private:
  void happen(const Happening& what, double now) {
    using Kind = Happening::Kind;
    switch (what.kind) {
      case Kind::at_server: count_way(what); return virtual_server_.arrive(what.number, now);
      case Kind::at_worker: count_way(what); return machines_.arrive(what.number, now);
      case Kind::time_is_up: return virtual_server_.look_up(now);
      case Kind::server_free: return virtual_server_.go_on(now);
      case Kind::enters: return machines_.enter(what.place, now);
      case Kind::computed: return machines_.send_push(what.place, what.number, now);
      case Kind::no_answer: return machines_.ask_again(what.place, what.number, now);
      case Kind::dies:
        machines_.die(what.place, what.number, what.until, now);
        return check_progress(now);
      case Kind::returns: return machines_.come_back(what.place, now);
    }
  }

  void check_progress(double now) {
    const Ledger& ledger = server_.ledger();
    const std::int64_t accepted = ledger.applied + ledger.pending;
    if (accepted != accepted_) {
      accepted_ = accepted;
      deaths_then_ = machines_.deaths();
    }
    const std::int64_t in_vain = machines_.deaths() - deaths_then_;
    const auto machines = static_cast<std::int64_t>(machines_.num_machines());
    require(
        in_vain <= kDeathsInVainMax + kDeathsInVainPerMachine * machines,
        fmt::format("faults: workers died {} times, up to {:.6g} virtual seconds, without one "
                    "gradient accepted: expected fewer deaths, or computing, messages and steps "
                    "that are short beside the workers' lives",
                    in_vain, now));
  }

  // The time of a dead worker is not spent on the way.
  void count_way(const Happening& arrival) {
    if (machines_.lives(post_.letters()[arrival.number])) post_.arrived(arrival);
  }

  SimulationReport report() const {
    const double seconds = clock_.seconds;
    const auto share = [&](double part, double of) {
      return seconds > 0 ? part / (seconds * of) : 0;
    };
    const auto machines = static_cast<double>(machines_.num_machines());
    const auto slots = static_cast<double>(slots_);
    const VirtualNetwork& network = post_.network();
    return {.server_busy = share(virtual_server_.seconds_busy(), 1),
            .computing = share(machines_.seconds_computing(seconds), machines),
            .on_network = share(post_.seconds_on_way(), slots),
            .at_server = share(machines_.seconds_at_server(), slots),
            .away = share(machines_.seconds_away(seconds), machines),
            .messages = network.messages(),
            .bytes = network.bytes(),
            .lost = network.lost(),
            .duplicated = network.duplicated(),
            .late = network.late(),
            .deaths = machines_.deaths(),
            .asked_again = machines_.asked_again()};
  }

  // Between two happenings the session is at rest.
  void make_checkpoint() {
    if (const auto state = monitor_.take_state(virtual_server_.session(), workers_, *this))
      monitor_.save_state(*state);
  }

  Server& server_;
  std::vector<Worker>& workers_;
  Monitor& monitor_;
  double samples_per_second_;
  VirtualClock& clock_;
  std::size_t slots_;
  Post post_;
  VirtualServer virtual_server_;
  VirtualMachines machines_;
  std::int64_t accepted_ = 0, deaths_then_ = 0;  // when a push was last seen to be accepted
};

}  // namespace

SimulationReport run_simulation(Server& server, std::vector<Worker>& workers, Monitor& monitor,
                                Recorder& recorder, const Cluster& cluster, const Vector& speeds,
                                std::uint64_t seed, VirtualClock& clock, const RunState* resumed) {
  const SimulationReport report =
      Simulation(server, workers, monitor, recorder, cluster, speeds, seed, clock).run(resumed);
  monitor.finish(server);
  return report;
}

}  // namespace asynprox
