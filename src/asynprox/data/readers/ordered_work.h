// Work done in the background, a few pieces at a time, whose results are taken in the order in
// which the pieces were given: what comes of it does not depend on the number of threads.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <future>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "asynprox/base/errors.h"

namespace asynprox {

// 0: one per core.
inline std::size_t threads_for(int threads) {
  require(threads >= 0, "expected threads of at least 0");
  if (threads > 0) return static_cast<std::size_t>(threads);
  return std::max(1u, std::thread::hardware_concurrency());
}

// `take(result)` is called by the thread that calls add and finish, which does no other work here:
// with one thread for the work, or where the system starts none, it does that too.
template <class Result, class Take>
class OrderedWork {
 public:
  OrderedWork(std::size_t threads, Take take) : pieces_max_(2 * threads), take_(std::move(take)) {
    // A system that allows no more threads (RLIMIT_NPROC, a control group) leaves the work to those
    // there are: it only takes longer.
    try {
      for (std::size_t i = 0; threads > 1 && i < threads; ++i)
        threads_.emplace_back([this](const std::stop_token& stop) { serve(stop); });
    } catch (const std::system_error&) {
      return;
    }
  }

  // What the work or `take` throws comes from here, for the earliest piece that threw.
  template <class Work>
  void add(Work work) {
    if (threads_.empty()) return take_(work());
    std::packaged_task<Result()> piece(std::move(work));
    results_.push_back(piece.get_future());
    {
      const std::lock_guard lock(waiting_lock_);
      waiting_.push_back(std::move(piece));
    }
    has_waiting_.notify_one();
    if (results_.size() >= pieces_max_) take_oldest();
  }

  void finish() {
    while (!results_.empty()) take_oldest();
  }

 private:
  void take_oldest() {
    std::future<Result> oldest = std::move(results_.front());
    results_.pop_front();
    take_(oldest.get());
  }

  void serve(const std::stop_token& stop) {
    for (;;) {
      std::packaged_task<Result()> piece;
      {
        std::unique_lock lock(waiting_lock_);
        if (!has_waiting_.wait(lock, stop, [this] { return !waiting_.empty(); })) return;
        if (stop.stop_requested()) return;  // what still waits is wanted by nobody
        piece = std::move(waiting_.front());
        waiting_.pop_front();
      }
      piece();
    }
  }

  const std::size_t pieces_max_;
  Take take_;
  std::deque<std::future<Result>> results_;
  std::mutex waiting_lock_;
  std::condition_variable_any has_waiting_;
  std::deque<std::packaged_task<Result()>> waiting_;  // guarded by waiting_lock_
  std::vector<std::jthread> threads_;                 // ends first
};

}  // namespace asynprox
