// Words for people: on standard error, so that standard output is left to data.
#pragma once

#include <string>
#include <string_view>

namespace asynprox::cli {

// Control characters are shown as \xNN (see data/printable.h). None of them throws: what cannot be
// written to standard error is lost.
void say(std::string_view text);
void say_error(std::string_view text);    // "asynprox: ..."
void say_warning(std::string_view text);  // "asynprox: warning: ..."

// From now on nothing is said or printed: another process speaks for all; or again.
void set_silent(bool silent);

// Writes to standard output. Throws asynprox::Error where that fails (a full disk), but not for a
// pipe whose reader has closed it: whoever reads `| head -1` has what he wanted, and from then on
// nothing is printed.
void print(std::string_view text);
void flush_output();

// The same for text that a person reads: control characters, but for line feeds, as \xNN.
void print_words(std::string_view text);

// False once the reader has closed the pipe: a command that only prints may end.
bool output_wanted();

// Does a person read it? Then control characters of labels and names do not belong there.
bool output_is_terminal();

// One line that is written over, and only where a person looks: nothing unless standard error is a
// terminal.
class ProgressLine {
 public:
  explicit ProgressLine(bool wanted);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const std::string& text);

 private:
  bool active_;
};

}  // namespace asynprox::cli
