// Who has which samples, and whose turn it is to draw.
//
// Where workers remember something of their samples, each sample belongs to one of those that take part:
// they are dealt anew (another round) when a worker comes, goes, or begins another life, and all that was
// remembered is void then. What a push of an earlier round says is stale. In its first push of a round a
// worker reads all its samples; nobody goes on before everybody has.
//
// Elsewhere, where workers draw from all samples by turns, turns are handed out one after the other, the
// first to each worker before the run.
#pragma once

#include <cstdint>
#include <vector>

#include "asynprox/algorithm/messages.h"
#include "asynprox/algorithm/per_worker.h"

namespace asynprox {

class SampleDealing {
 public:
  struct Seat {
    bool takes_part = false;
    std::int64_t round_known = 0;  // as the worker said last: a reply may be lost on its way
    std::int64_t round_read = -1;  // the last one in which it has read all its samples
  };
  struct State {
    std::int64_t turn_next = 0;
    std::int64_t round = 0;
    int shards_read = 0;  // in this round
    PerWorker<Seat> seats;
    std::vector<Share> shards;  // by worker
  };

  // Workers 0 to `workers` - 1 take part from the start. `deals`: samples belong to workers.
  SampleDealing(bool deals, int workers);

  const State& state() const { return state_; }
  template <IsA<SampleDealing> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    visit("state", part.state_);
  }

  // Whether the samples were dealt anew: then what was remembered is void.
  bool enter(int worker, bool another_life);
  bool leave(int worker);
  bool deal_again();

  std::int64_t round() const { return state_.round; }
  bool is_stale(const Share& share) const { return deals_ && share.round != state_.round; }

  // The worker says which round it knows; it has read all its samples.
  void heard_from(int worker, std::int64_t round) { state_.seats.at(worker).round_known = round; }
  void has_read(int worker);
  // It has read its samples, and others have not yet: there is nothing to step along.
  bool awaits_others(int worker) const;

  std::int64_t next_turn() { return state_.turn_next++; }
  // Puts the worker's shard into the reply. One that hears of a new round begins anew, with all its
  // samples: it needs all coordinates.
  void tell(int worker, Reply& reply) const;

 private:
  bool deals_;
  State state_;
};

template <IsA<SampleDealing::Seat> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("takes_part", part.takes_part);
  visit("round_known", part.round_known);
  visit("round_read", part.round_read);
}

template <IsA<SampleDealing::State> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("turn_next", part.turn_next);
  visit("round", part.round);
  visit("shards_read", part.shards_read);
  visit("seats", part.seats);
  visit("shards", part.shards);
}

}  // namespace asynprox
