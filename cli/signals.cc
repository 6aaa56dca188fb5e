#include "cli/signals.h"

#include <unistd.h>

#include <csignal>

namespace asynprox::cli {
namespace {

// A signal handler can reach nothing but globals, and only atomics without locks.
std::atomic<bool> interrupted{false};
std::atomic<bool> nothing_to_keep{false};
std::atomic<int> signal_received{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void handle(int signal) {
  if (signal == SIGXCPU && signal_received == SIGXCPU) return;
  if (nothing_to_keep || signal_received.exchange(signal) != 0) _exit(128 + signal);
  interrupted = true;
}

}  // namespace

SignalWatch::SignalWatch(Before before) {
  interrupted = false;
  nothing_to_keep = before == Before::the_run;
  signal_received = 0;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    // Whoever starts us may have chosen to ignore it, as nohup does.
    ignored_[i] = std::signal(signals[i], handle) == SIG_IGN;
    if (ignored_[i]) std::signal(signals[i], SIG_IGN);
  }
}

SignalWatch::~SignalWatch() {
  if (interrupted) return;  // a second signal may still be on its way
  for (std::size_t i = 0; i < signals.size(); ++i)
    if (!ignored_[i]) std::signal(signals[i], SIG_DFL);
}

void SignalWatch::run_begins() { nothing_to_keep = false; }

const std::atomic<bool>& SignalWatch::flag() const { return interrupted; }

int SignalWatch::exit_code() const { return signal_received == 0 ? 0 : 128 + signal_received; }

}  // namespace asynprox::cli
