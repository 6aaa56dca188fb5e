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
      int expected = free;
      if (state_.load(std::memory_order_relaxed) == free &&
          state_.compare_exchange_weak(expected, held, std::memory_order_acquire,
                                       std::memory_order_relaxed))
        return;
      pause_briefly();
    }
    while (state_.exchange(awaited, std::memory_order_acquire) != free)
      state_.wait(awaited, std::memory_order_relaxed);
  }

  void unlock() {
    if (state_.exchange(free, std::memory_order_release) == awaited) state_.notify_one();
  }

 private:
  static constexpr int free = 0, held = 1;
  static constexpr int awaited = 2;  // held, and somebody may sleep

  std::atomic<int> state_ = free;
};

}  // namespace asynprox
