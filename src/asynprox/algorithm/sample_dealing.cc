#include "asynprox/algorithm/sample_dealing.h"

#include <algorithm>
#include <utility>

namespace asynprox {

SampleDealing::SampleDealing(bool deals, int workers) : deals_(deals) {
  state_.turn_next = workers;
  if (!deals) return;
  for (int worker = 0; worker < workers; ++worker) {
    state_.seats.at(worker).takes_part = true;
    state_.shards.push_back({.round = 0, .number = worker, .of = workers});
  }
}

bool SampleDealing::enter(int worker, bool another_life) {
  if (!deals_) return false;
  Seat& seat = state_.seats.at(worker);
  if (seat.takes_part && !another_life) return false;
  seat.takes_part = true;
  return deal_again();
}

bool SampleDealing::leave(int worker) {
  if (!deals_ || !std::exchange(state_.seats.at(worker).takes_part, false)) return false;
  return deal_again();
}

bool SampleDealing::deal_again() {
  if (!deals_) return false;
  ++state_.round;
  state_.shards_read = 0;
  const auto of = static_cast<int>(std::ranges::count(state_.seats, true, &Seat::takes_part));
  state_.shards.clear();
  int number = 0;
  for (const Seat& seat : state_.seats) {
    state_.shards.push_back({.round = state_.round, .number = number, .of = of});
    if (seat.takes_part) ++number;
  }
  return true;
}

void SampleDealing::has_read(int worker) {
  if (std::exchange(state_.seats.at(worker).round_read, state_.round) != state_.round)
    ++state_.shards_read;
}

bool SampleDealing::awaits_others(int worker) const {
  return deals_ && state_.seats[worker].round_read == state_.round &&
         state_.shards_read < state_.shards.front().of;
}

void SampleDealing::tell(int worker, Reply& reply) const {
  if (!deals_) return;
  reply.share = state_.shards[worker];
  if (state_.seats[worker].round_known != state_.round) reply.model.keys = {};
}

}  // namespace asynprox
