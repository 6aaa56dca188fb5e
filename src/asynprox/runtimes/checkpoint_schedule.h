// When a run is to leave a checkpoint: as the rule says, and when it is interrupted.
//
// Not safe to call from several threads at once, but for is_on() and hooks().
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>

#include "asynprox/checkpoints/checkpoint_hooks.h"

namespace asynprox {

class CheckpointSchedule {
 public:
  explicit CheckpointSchedule(CheckpointHooks hooks)
      : hooks_(std::move(hooks)), on_(hooks_.save != nullptr) {}

  bool is_on() const { return on_.load(std::memory_order_relaxed); }
  void switch_off() { on_.store(false, std::memory_order_relaxed); }
  const CheckpointHooks& hooks() const { return hooks_; }

  // `work`: steps, and evaluations of the fallback.
  bool due_after(std::int64_t work) const {
    return is_on() && hooks_.every.steps && work - work_ >= *hooks_.every.steps;
  }
  // `elapsed`: seconds of wall-clock time.
  bool due_at(double elapsed) const { return hooks_.every.seconds && seconds_left(elapsed) <= 0.0; }
  bool by_time() const { return is_on() && hooks_.every.seconds; }
  // If by time.
  double seconds_left(double elapsed) const {
    return std::max(0.0, elapsed_ + *hooks_.every.seconds - elapsed);
  }

  // One is made here, or the run begins or goes on here.
  void made(std::int64_t work, double elapsed) {
    work_ = work;
    elapsed_ = elapsed;
  }

 private:
  const CheckpointHooks hooks_;
  std::atomic<bool> on_;
  std::int64_t work_ = 0;
  double elapsed_ = 0;
};

}  // namespace asynprox
