// Ctrl-C and SIGTERM while something is learnt: the first asks the run to end, the second ends the
// program at once.
#pragma once

#include <atomic>

namespace asynprox::cli {

// While it lives, the first signal sets the flag. One at a time.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  const std::atomic<bool>& flag() const;

  // 130 for an interrupt, 143 for a termination, 0 if there was neither.
  int exit_code() const;
};

}  // namespace asynprox::cli
