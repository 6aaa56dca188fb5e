#include "asynprox/runtimes/recorder.h"

#include <utility>

namespace asynprox {
namespace {

constexpr std::size_t kEventsInBlock = 8192;

}  // namespace

void Recorder::add(const Event& event) {
  if (!is_on()) return;
  ++count_;
  if (filling_.capacity() == 0) filling_.reserve(kEventsInBlock);
  filling_.push_back(event);
  if (filling_.size() == kEventsInBlock) end_block();
}

void Recorder::end_block() {
  if (filling_.empty()) return;
  const std::lock_guard lock(full_mutex_);
  full_.push_back(std::exchange(filling_, {}));
  any_full_.store(true, std::memory_order_relaxed);
}

void Recorder::hand_on() {
  if (any_full_.load(std::memory_order_relaxed)) hand_on_all();
}

void Recorder::hand_on_all() {
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
  end_block();
  hand_on_all();
}

}  // namespace asynprox
