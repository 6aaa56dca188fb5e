#include "cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "asynprox/base/errors.h"
#include "asynprox/data/printable.h"

namespace asynprox::cli {
namespace {

bool is_silent = false;

// What cannot be said must not end the work: there is nobody left to say so to.
void write_error_stream(std::string_view text) {
  if (is_silent) return;
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

// Whether the reader of standard output has closed the pipe: what follows is for nobody.
bool reader_gone = false;

void check_output(bool written) {
  if (written) return;
  if (errno != EPIPE) throw Error(fmt::format("standard output: {}", std::strerror(errno)));
  reader_gone = true;
}

}  // namespace

void say(std::string_view text) { write_error_stream(printable_lines(text) + "\n"); }
void say_error(std::string_view text) {
  write_error_stream(fmt::format("asynprox: {}\n", printable(text)));
}
void say_warning(std::string_view text) {
  write_error_stream(fmt::format("asynprox: warning: {}\n", printable(text)));
}

void set_silent(bool silent) { is_silent = silent; }

void print(std::string_view text) {
  if (reader_gone || is_silent) return;
  check_output(std::fwrite(text.data(), 1, text.size(), stdout) == text.size());
}

void print_words(std::string_view text) { print(printable_lines(text)); }

void flush_output() {
  if (reader_gone) return;
  check_output(std::fflush(stdout) == 0);
}

bool output_wanted() { return !reader_gone; }

bool output_is_terminal() { return isatty(STDOUT_FILENO) != 0; }

ProgressLine::ProgressLine(bool wanted) : active_(wanted && isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
  if (active_) write_error_stream("\r\033[K");
}

void ProgressLine::show(const std::string& text) {
  if (!active_) return;
  // A line that is longer than the terminal is wide could not be written over.
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  write_error_stream("\r\033[K" +
                     printable(text).substr(0, known ? size.ws_col - 1U : std::string::npos));
}

}  // namespace asynprox::cli
