#include "asynprox/algorithm/staleness_gate.h"

namespace asynprox {

bool StalenessGate::admits(int worker, std::int64_t version, std::int64_t k,
                           std::int64_t k_next) const {
  const Loan& loan = state_.loans[worker];
  // Computed at a model from before a repeated pull, or too late for the bound.
  const bool expected = options_.any_version ? version <= k : version == loan.version;
  return expected && (loan.guarded || state_.in_flight.on_time_with(version, k_next));
}

void StalenessGate::release(Loan& loan) {
  if (loan.outstanding && loan.guarded) state_.in_flight.remove(loan.version);
  loan.outstanding = loan.guarded = false;
}

void StalenessGate::admit(int worker, std::int64_t version) {
  Loan& loan = state_.loans.at(worker);
  loan.refusals = 0;
  release(loan);
  loan.pushed_at = version;
  state_.in_flight.add(version);
}

bool StalenessGate::allows_loan(int worker, std::size_t pending, bool step_under_way) const {
  if (pending >= static_cast<std::size_t>(state_.in_flight.pushes_per_step())) return false;
  return !is_held_for(state_.loans[worker]) || state_.in_flight.has_room(step_under_way);
}

void StalenessGate::lend(int worker, std::int64_t k) {
  Loan& loan = state_.loans.at(worker);
  loan.outstanding = true;
  loan.version = k;
  loan.guarded = !options_.any_version && is_held_for(loan);
  if (loan.guarded) state_.in_flight.add(k);
}

}  // namespace asynprox
