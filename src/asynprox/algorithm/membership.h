// Which workers are there, each in which of its lives, and what was the newest message of each: so messages
// of an earlier life, of a worker that left, and doubled ones are told from those that count.
//
//   A worker is there from its pull to its leave(). A pull begins its next life, or goes on with this
//   one; an older pull (by life, then by sequence) is ignored. A push counts if its worker is there, in
//   the life that the push names (else it is "fenced"), and if its sequence is above all that were
//   received in that life (else it is a "duplicate").
#pragma once

#include <cstdint>
#include <optional>

#include "asynprox/algorithm/messages.h"
#include "asynprox/algorithm/per_worker.h"

namespace asynprox {

class Membership {
 public:
  struct Member {
    bool present = false;
    int incarnation = -1;  // none yet
    std::int64_t last_sequence = 0;
    int refusals_nonfinite = 0;  // running
  };
  struct State {
    PerWorker<Member> members;
  };

  const State& state() const { return state_; }
  template <IsA<Membership> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    visit("state", part.state_);
  }

  bool is_late(const Pull& pull) const;
  // Was the worker known in an earlier life, of which it remembers nothing now?
  bool begins_another_life(const Pull& pull) const;
  void enter(const Pull& pull);
  void leave(int worker) { state_.members.at(worker).present = false; }

  std::optional<Refusal> refusal(const PushId& id) const;
  // Is it the newest push that was received of its worker?
  bool is_newest(const PushId& id) const { return id.sequence == of(id.worker).last_sequence; }

  // A push that counts has come.
  void received(const PushId& id) { state_.members.at(id.worker).last_sequence = id.sequence; }
  void received_finite(int worker) { state_.members.at(worker).refusals_nonfinite = 0; }
  // A gradient that is not finite is computed once more, at the newest model. True: that has been done.
  bool received_nonfinite(int worker);

  const Member& of(int worker) const { return state_.members[worker]; }

 private:
  State state_;
};

template <IsA<Membership::Member> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("present", part.present);
  visit("incarnation", part.incarnation);
  visit("last_sequence", part.last_sequence);
  visit("refusals_nonfinite", part.refusals_nonfinite);
}

template <IsA<Membership::State> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("members", part.members);
}

}  // namespace asynprox
