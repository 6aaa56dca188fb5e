#include "asynprox/runtimes/recorder.h"

#include <utility>

namespace asynprox {
namespace {

constexpr std::size_t kEventsInBlock = 8192;

}  // namespace

void Recorder::add(const Event& event) {
  if (!is_on()) return;
  if (filling_.capacity() == 0) filling_.reserve(kEventsInBlock);
  filling_.push_back(event);
  if (filling_.size() < kEventsInBlock) return;
  const std::lock_guard lock(full_mutex_);
  full_.push_back(std::exchange(filling_, {}));
  any_full_.store(true, std::memory_order_relaxed);
}

void Recorder::hand_on() {
  if (!any_full_.load(std::memory_order_relaxed)) return;
  // Held from taking a block to handing it on, so that blocks stay in order.
  const std::lock_guard sink_lock(sink_mutex_);
  for (;;) {
    Block block;
    {
      const std::lock_guard lock(full_mutex_);
      any_full_.store(false, std::memory_order_relaxed);
      if (full_.empty()) return;
      block = std::move(full_.front());
      full_.pop_front();
    }
    sink_(block);
  }
}

void Recorder::close() {
  hand_on();
  if (is_on() && !filling_.empty()) sink_(std::exchange(filling_, {}));
}

}  // namespace asynprox
