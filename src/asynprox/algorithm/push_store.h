// Pushes that wait for their step, and those of the step under way.
//
//   Steps take the oldest first: by the version of their model, then by arrival. The memory of pushes
//   goes around: a push that is kept is swapped with one that was applied, of the same worker if there is
//   one, so that its memory stays near that worker and no more is made than is in use at once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "asynprox/algorithm/messages.h"

namespace asynprox {

class PushStore {
 public:
  struct State {
    std::vector<std::unique_ptr<Push>> pending;  // oldest first
    std::vector<std::unique_ptr<Push>> applied;  // by the step under way
  };

  const State& state() const { return state_; }
  template <IsA<PushStore> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    visit("state", part.state_);
  }

  // Gives `push` other memory.
  void keep(Push& push);
  std::size_t pending() const { return state_.pending.size(); }
  // Of the oldest `count`, until the next call.
  std::span<const std::int64_t> oldest_versions(std::size_t count) const;

  // Takes the oldest `count` for a step: they are summands() until clear(), which ends the step.
  // summands() may be called beside keep().
  void take(std::size_t count);
  std::span<const Push* const> summands();
  void clear();

 private:
  // Who filled it last stands beside it, so that the push itself is not touched for that.
  struct Unused {
    int worker = 0;
    std::unique_ptr<Push> push;
  };

  std::unique_ptr<Push> unused(int worker);

  State state_;
  std::vector<const Push*> summands_;  // what summands() fills
  std::vector<Unused> unused_;
  mutable std::vector<std::int64_t> versions_;  // what oldest_versions() fills
};

template <IsA<PushStore::State> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("pending", part.pending);
  visit("applied", part.applied);
}

}  // namespace asynprox
