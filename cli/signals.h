// Ctrl-C, SIGTERM, SIGHUP (the terminal has gone) and SIGXCPU (a soft limit on processor time was
// reached) while something is learnt: the first asks the run to end, the second ends the program at
// once. Of SIGXCPU, which the kernel sends every second, only the first counts.
#pragma once

#include <array>
#include <atomic>
#include <csignal>

namespace asynprox::cli {

// While it lives, the first signal sets the flag. One at a time. Signals that are ignored stay so.
class SignalWatch {
 public:
  // Before the run, as long as it is planned, there is nothing to keep: the first signal ends the
  // program at once, until run_begins().
  enum class Before { the_run, nothing };
  explicit SignalWatch(Before before = Before::nothing);
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  void run_begins();

  const std::atomic<bool>& flag() const;

  // 130 for an interrupt, 143 for a termination, 129 for a hangup, 152 for processor time, 0 if
  // there was none.
  int exit_code() const;

 private:
  static constexpr std::array<int, 4> signals = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};
  std::array<bool, signals.size()> ignored_ = {};
};

}  // namespace asynprox::cli
