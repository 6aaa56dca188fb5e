#include "cli/bus_errors.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <string_view>

#include "cli/exit_codes.h"

namespace asynprox::cli {
namespace {

constexpr std::string_view kWords =
    "asynprox: a data file that is mapped into memory can no longer be read: it was cut short or "
    "replaced in place while it was in use, or its disk failed\n";

// A signal handler can reach nothing but globals, and only atomics without locks.
std::string path_to_remove;
std::atomic<const char*> file_to_remove{nullptr};
static_assert(std::atomic<const char*>::is_always_lock_free);

// Only what is safe in a signal handler.
void handle(int signal, siginfo_t* cause, void*) {
  if (cause->si_code != BUS_ADRERR && cause->si_code != BUS_OBJERR) {
    // No page of a file: an error of the program itself.
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kWords.data(), kWords.size());
  if (const char* const path = file_to_remove.load()) ::unlink(path);
  _exit(kData);
}

}  // namespace

void remove_on_bus_error(const std::string& path) {
  forget_on_bus_error();
  path_to_remove = path;
  file_to_remove = path_to_remove.c_str();
}

void forget_on_bus_error() { file_to_remove = nullptr; }

void explain_bus_errors() {
  struct sigaction action = {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace asynprox::cli
