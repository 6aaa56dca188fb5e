// A job in numbered shares that whoever has time takes one by one.
#pragma once

#include <atomic>
#include <exception>
#include <mutex>
#include <utility>

namespace asynprox {

class SharedWork {
 public:
  // Publishes a job of this many shares, the same number every time. What they need is written
  // before. The job before this one is finished; whoever still looks there may help here at once.
  void open(int shares) {
    done_.store(0, std::memory_order_relaxed);
    shares_.store(shares, std::memory_order_relaxed);
    next_.store(0, std::memory_order_release);
  }

  // Does shares of the job, work(number), until none is left to take.
  template <class Work>
  void help(Work work) {
    for (;;) {
      const int share = next_.fetch_add(1, std::memory_order_acq_rel);
      const int shares = shares_.load(std::memory_order_relaxed);
      if (share >= shares) return;
      try {
        work(share);
      } catch (...) {
        const std::lock_guard lock(error_mutex_);
        error_ = std::current_exception();
      }
      if (done_.fetch_add(1, std::memory_order_acq_rel) + 1 == shares) done_.notify_all();
    }
  }

  // Waits until every share is done. Throws what a share has thrown.
  void wait() {
    const int shares = shares_.load(std::memory_order_relaxed);
    for (int done; (done = done_.load(std::memory_order_acquire)) != shares;)
      done_.wait(done, std::memory_order_acquire);
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

 private:
  // Far beyond any number of shares, also after every thread has asked too often.
  static constexpr int nothing = 1 << 30;

  std::atomic<int> next_ = nothing;
  std::atomic<int> shares_ = 0;
  std::atomic<int> done_ = 0;
  std::mutex error_mutex_;
  std::exception_ptr error_;
};

}  // namespace asynprox
