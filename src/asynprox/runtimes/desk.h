// One worker's mailbox: its thread gets replies here, and waits for them.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "asynprox/algorithm/messages.h"
#include "asynprox/runtimes/spin_lock.h"

namespace asynprox {

enum class Signal : int {
  none,
  asleep,  // the thread sleeps until there is another signal
  reply,   // a reply lies on the desk
  help,    // there is shared work to do while waiting
};

// Where a worker is, for a checkpoint.
enum class WorkerPlace : std::uint8_t {
  outside,      // it has not pulled yet
  waits,        // for a model
  holds_model,  // and has not answered it yet
};

class alignas(64) Desk {
 public:
  WorkerPlace place = WorkerPlace::outside;  // under the lock of the server
  Reply reply;
  Push push;
  Replies replies;  // of the thread's calls to the server, to any worker
  int pushes = 0;
  std::uint64_t nanoseconds = 0;  // when the thread last looked at the clock

  // The thread of this desk: waits for a reply or a call for help, which it takes off the desk.
  Signal wait() {
    for (int look = 0; look < kLooksBeforeSleep; ++look) {
      const Signal signal = signal_.load(std::memory_order_relaxed);
      if (signal != Signal::none) return taken();
      pause_briefly();
    }
    Signal none = Signal::none;
    if (signal_.compare_exchange_strong(none, Signal::asleep))
      signal_.wait(Signal::asleep, std::memory_order_relaxed);
    return taken();
  }

  bool has_reply() const { return signal_.load(std::memory_order_relaxed) == Signal::reply; }

  // Others, under the lock of the server. True if the thread must be woken.
  bool deliver(Reply& newest) {
    std::swap(reply, newest);
    return signal_.exchange(Signal::reply, std::memory_order_acq_rel) == Signal::asleep;
  }
  bool call_for_help() {
    Signal signal = Signal::none;
    if (signal_.compare_exchange_strong(signal, Signal::help)) return false;
    return signal == Signal::asleep && signal_.compare_exchange_strong(signal, Signal::help);
  }

  void wake() { signal_.notify_one(); }

 private:
  Signal taken() {
    Signal signal = signal_.load(std::memory_order_acquire);
    while (signal != Signal::none &&
           !signal_.compare_exchange_weak(signal, Signal::none, std::memory_order_acquire)) {
    }
    return signal;
  }

  std::atomic<Signal> signal_ = Signal::none;
};

}  // namespace asynprox
