// How far a run has come: for a person on the terminal, and with --log for a machine in a file.
#pragma once

#include <optional>
#include <string>

#include "asynprox/algorithm/trace.h"
#include "asynprox/base/file.h"

#include "cli/terminal.h"

namespace asynprox::cli {

class ProgressReport {
 public:
  // Throws Error if the log cannot be opened. What a file of that name held goes with the first
  // line, not before the run has begun.
  ProgressReport(bool on_terminal, const std::optional<std::string>& log_path);

  void show(const Progress& progress);
  void show(const Evaluation& evaluation);

 private:
  // A line that cannot be written ends the log, with a warning, not the run.
  void log(const std::string& line);

  ProgressLine line_;
  std::string log_path_;
  File log_;
  bool log_begun_ = false;
};

}  // namespace asynprox::cli
