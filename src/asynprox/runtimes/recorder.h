// Collects the events of a run in their order, and hands them on some thousands at a time.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "asynprox/algorithm/event.h"

namespace asynprox {

class Recorder final : public EventLog {
 public:
  // Without a sink nothing is recorded.
  explicit Recorder(EventSink sink = nullptr) : sink_(std::move(sink)) {}

  bool is_on() const override { return sink_ != nullptr; }

  // Called where the event's order is decided: under the lock of the server, if there is one.
  void add(const Event& event) override;

  // Gives full blocks of events to the sink; does nothing while no block is full. Best called outside the
  // lock.
  void hand_on();

  // What was added so far is handed on by the next hand_on_all(). Called like add().
  void end_block();
  // Returns once all blocks that are complete were handed on. Called like hand_on().
  void hand_on_all();

  // How many there are so far. A run that goes on from a checkpoint counts on.
  std::uint64_t count() const { return count_; }
  void count_from(std::uint64_t count) { count_ = count; }

  // Hands on the rest. Nobody adds any more.
  void close();

 private:
  using Block = std::vector<Event>;

  EventSink sink_;
  std::uint64_t count_ = 0;
  Block filling_;
  std::mutex full_mutex_;
  std::deque<Block> full_;
  std::atomic<bool> any_full_ = false;
  std::mutex sink_mutex_;
};

}  // namespace asynprox
