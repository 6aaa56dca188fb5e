// Workers that wait for a model, first come first served, and what each is to be told with it.
//
//   A worker stands on the list at most once. What it is told is that of the last add(): whether its
//   push was accepted or refused, and which coordinates it wants. That is kept once the worker is off
//   the list, for a push that is sent again because its answer was lost.
#pragma once

#include <deque>
#include <utility>

#include "asynprox/algorithm/messages.h"
#include "asynprox/algorithm/per_worker.h"

namespace asynprox {

class WaitingList {
 public:
  struct Answer {
    bool waiting = false;
    Verdict verdict = Verdict::accepted;
    Refusal refusal = Refusal::stale;  // the last there was
    Keys keys;                         // wanted
  };
  struct State {
    PerWorker<Answer> answers;
    std::deque<int> queue;
  };

  const State& state() const { return state_; }
  template <IsA<WaitingList> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    visit("state", part.state_);
  }

  // Swaps the keys with those that were wanted before.
  void add(int worker, Verdict verdict, Keys& keys) {
    Answer& answer = state_.answers.at(worker);
    answer.verdict = verdict;
    std::swap(answer.keys, keys);
    if (std::exchange(answer.waiting, true)) return;
    state_.queue.push_back(worker);
  }
  void note_refusal(int worker, Refusal refusal) { state_.answers.at(worker).refusal = refusal; }

  void remove(int worker) {
    std::erase(state_.queue, worker);
    state_.answers.at(worker).waiting = false;
  }

  enum class Decision { stay, go, nobody_else };

  // Calls decide(worker) for each in turn, until it says nobody_else. Who goes is off the list;
  // decide() gives it its model.
  template <class Decide>
  void for_each(Decide decide) {
    for (auto place = state_.queue.begin(); place != state_.queue.end();) {
      const int worker = *place;
      const Decision decision = decide(worker);
      if (decision == Decision::nobody_else) return;
      if (decision == Decision::stay) {
        ++place;
        continue;
      }
      state_.answers.at(worker).waiting = false;
      place = state_.queue.erase(place);
    }
  }

  const Answer& of(int worker) const { return state_.answers[worker]; }
  // Gives them away: they travel with the reply.
  Keys& keys_of(int worker) { return state_.answers.at(worker).keys; }

 private:
  State state_;
};

template <IsA<WaitingList::Answer> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("waiting", part.waiting);
  visit("verdict", part.verdict);
  visit("refusal", part.refusal);
  if (part.waiting) visit("keys", part.keys);
}

template <IsA<WaitingList::State> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("answers", part.answers);
  visit("queue", part.queue);
}

}  // namespace asynprox
