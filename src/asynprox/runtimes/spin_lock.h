// A lock for critical sections of a microsecond: whoever finds it held looks again for a while, and
// only then goes to sleep. For so short sections it is faster than a std::mutex, which sleeps
// first.
#pragma once

#include <atomic>

namespace asynprox {

// Some tens of nanoseconds, in which the other thread on this core may run.
inline void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// How often to look before going to sleep: about 5 microseconds.
inline constexpr int kLooksBeforeSleep = 200;

class alignas(64) SpinLock {
 public:
  void lock() {
    for (int look = 0; look < kLooksBeforeSleep; ++look) {
      int free = kFree;
      if (state_.load(std::memory_order_relaxed) == kFree &&
          state_.compare_exchange_weak(free, kHeld, std::memory_order_acquire,
                                       std::memory_order_relaxed))
        return;
      pause_briefly();
    }
    while (state_.exchange(kAwaited, std::memory_order_acquire) != kFree)
      state_.wait(kAwaited, std::memory_order_relaxed);
  }

  void unlock() {
    if (state_.exchange(kFree, std::memory_order_release) == kAwaited) state_.notify_one();
  }

 private:
  static constexpr int kFree = 0, kHeld = 1;
  static constexpr int kAwaited = 2;  // held, and somebody may sleep

  std::atomic<int> state_ = kFree;
};

}  // namespace asynprox
