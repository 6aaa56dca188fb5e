// Work done in the background, a few pieces at a time, whose results are taken in the order in
// which the pieces were given: what comes of it does not depend on the number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <future>
#include <thread>
#include <utility>

#include "asynprox/base/errors.h"

namespace asynprox {

// 0: one a core.
inline std::size_t threads_for(int threads) {
  require(threads >= 0, "expected threads of at least 0");
  if (threads > 0) return static_cast<std::size_t>(threads);
  return std::max(1u, std::thread::hardware_concurrency());
}

// `take(result)` is called by the thread that calls add and finish.
template <class Result, class Take>
class OrderedWork {
 public:
  OrderedWork(std::size_t threads, Take take) : threads_(threads), take_(std::move(take)) {}

  // With one thread the work is done when its result is taken. What the work or `take` throws comes
  // from here, for the earliest piece that threw.
  template <class Work>
  void add(Work work) {
    const auto policy = threads_ > 1 ? std::launch::async : std::launch::deferred;
    pieces_.push_back(std::async(policy, std::move(work)));
    if (pieces_.size() > threads_) take_oldest();
  }

  void finish() {
    while (!pieces_.empty()) take_oldest();
  }

 private:
  void take_oldest() {
    std::future<Result> oldest = std::move(pieces_.front());
    pieces_.pop_front();
    take_(oldest.get());
  }

  const std::size_t threads_;
  Take take_;
  std::deque<std::future<Result>> pieces_;
};

}  // namespace asynprox
