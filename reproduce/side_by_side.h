// Independent pieces of work on a few threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace asynprox::reproduce {

// work(i) for i = 0, ..., count - 1, on at most so many threads (0: one). What one throws, the
// first of them, is thrown again once all have ended; no more is begun then.
template <class Work>
void side_by_side(std::size_t threads, std::size_t count, Work work) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr failure;
  std::mutex failing;
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(failing);
        if (!failure) failure = std::current_exception();
        next = count;
      }
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      for (std::size_t t = 1; t < std::min(threads, count); ++t) others.emplace_back(run);
    } catch (const std::system_error&) {
      // The system allows no more threads: those there are, this one at least, do all the work.
    }
    run();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace asynprox::reproduce
