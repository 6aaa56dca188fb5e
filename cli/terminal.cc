#include "cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "asynprox/base/errors.h"

namespace asynprox::cli {

void say(std::string_view text) { fmt::print(stderr, "{}\n", text); }
void say_error(std::string_view text) { fmt::print(stderr, "asynprox: {}\n", text); }
void say_warning(std::string_view text) { fmt::print(stderr, "asynprox: warning: {}\n", text); }

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
    throw Error(fmt::format("standard output: {}", std::strerror(errno)));
}

void flush_output() {
  if (std::fflush(stdout) != 0)
    throw Error(fmt::format("standard output: {}", std::strerror(errno)));
}

ProgressLine::ProgressLine(bool wanted) : active_(wanted && isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
  if (active_) std::fputs("\r\033[K", stderr);
}

void ProgressLine::show(const std::string& text) {
  if (!active_) return;
  // A line that is longer than the terminal is wide could not be written over.
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  fmt::print(stderr, "\r\033[K{}", text.substr(0, known ? size.ws_col - 1U : text.size()));
  std::fflush(stderr);
}

}  // namespace asynprox::cli
