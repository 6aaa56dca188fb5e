#include "cli/terminal.h"

#include <fmt/format.h>
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
  fmt::print(stderr, "\r\033[K{}", text);
  std::fflush(stderr);
}

}  // namespace asynprox::cli
