// Which gradients are in flight, and who may compute another, so that no step applies a gradient that is
// more than T steps old. The rule is that of staleness.h; here is who is bound by it.
//
//   hold        every gradient that a worker computes is in flight from the model it was handed on, and
//               is never refused as stale: steps and models wait instead.
//   recompute   a gradient is in flight from its arrival on; one that comes too late is refused, and is
//               computed anew. A worker that was refused `stale_refusals_max` times running is held for,
//               as above.
//
// A worker holds one model at a time, and owes one push for it. Synchronous steps (`one_push_a_worker`)
// take one push of each worker: who has pushed waits for the next step.
#pragma once

#include <cstdint>
#include <span>

#include "asynprox/algorithm/per_worker.h"
#include "asynprox/algorithm/staleness.h"

namespace asynprox {

struct GateOptions {
  int pushes_per_step = 1;         // m
  std::int64_t staleness_max = 4;  // T
  StalenessPolicy policy = StalenessPolicy::hold;
  int stale_refusals_max = 2;
  bool one_push_a_worker = false;
  bool any_version = false;  // see ServerOptions
};

class StalenessGate {
 public:
  // What a worker has of the server.
  struct Loan {
    bool outstanding = false;     // it holds a model and owes a push
    bool guarded = false;         // that push is in flight: it will not be refused as stale
    std::int64_t version = 0;     // of the model it holds
    int refusals = 0;             // as stale, running
    std::int64_t pushed_at = -1;  // the version of its last push that was accepted
  };
  struct State {
    InFlight in_flight;
    PerWorker<Loan> loans = {};
  };

  explicit StalenessGate(const GateOptions& options)
      : options_(options),
        state_{.in_flight = InFlight(options.pushes_per_step, options.staleness_max)} {}

  const State& state() const { return state_; }
  template <IsA<StalenessGate> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    visit("state", part.state_);
  }

  // From now on a step applies so many, no fewer than before.
  void set_pushes_per_step(int pushes_per_step) {
    state_.in_flight.set_pushes_per_step(pushes_per_step);
  }

  bool owes_push(int worker) const { return state_.loans[worker].outstanding; }

  // May a gradient of `version` by this worker, which owes one, be kept? The next step that is not under
  // way is number k_next; k steps are done.
  bool admits(int worker, std::int64_t version, std::int64_t k, std::int64_t k_next) const;

  // The worker owes nothing any more: its push came, or it is gone.
  void release(int worker) { release(state_.loans.at(worker)); }
  void forgive(int worker) { state_.loans.at(worker).refusals = 0; }
  void refused_as_stale(int worker) { ++state_.loans.at(worker).refusals; }
  // Its push is kept: it is in flight until a step applies it.
  void admit(int worker, std::int64_t version);
  void apply(std::int64_t version) { state_.in_flight.remove(version); }

  // May a step with the gradients of these versions be taken, to be followed by number k_next?
  bool allows_step(std::span<const std::int64_t> versions, std::int64_t k_next) const {
    return state_.in_flight.on_time_without(versions, k_next);
  }

  bool keeps_bound(std::int64_t staleness) const { return staleness <= options_.staleness_max; }

  // Synchronous: it has pushed for step k, and waits for the step.
  bool awaits_step(int worker, std::int64_t k) const {
    return options_.one_push_a_worker && state_.loans[worker].pushed_at == k;
  }
  // May the worker begin another gradient, while so many pushes are pending?
  bool allows_loan(int worker, std::size_t pending, bool step_under_way) const;
  void lend(int worker, std::int64_t k);

 private:
  void release(Loan& loan);
  bool is_held_for(const Loan& loan) const {
    return options_.policy == StalenessPolicy::hold || loan.refusals >= options_.stale_refusals_max;
  }

  GateOptions options_;
  State state_;
};

template <IsA<StalenessGate::Loan> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("outstanding", part.outstanding);
  visit("guarded", part.guarded);
  visit("version", part.version);
  visit("refusals", part.refusals);
  visit("pushed_at", part.pushed_at);
}

template <IsA<StalenessGate::State> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("in_flight", part.in_flight);
  visit("loans", part.loans);
}

}  // namespace asynprox
