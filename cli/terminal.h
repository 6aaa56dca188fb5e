// Words for people: on standard error, so that standard output is left to data.
#pragma once

#include <string>
#include <string_view>

namespace asynprox::cli {

void say(std::string_view text);
void say_error(std::string_view text);    // "asynprox: ..."
void say_warning(std::string_view text);  // "asynprox: warning: ..."

// Writes to standard output. Throws asynprox::Error where that fails (a closed pipe, a full disk).
void print(std::string_view text);
void flush_output();

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
