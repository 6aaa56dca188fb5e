#include "cli/progress.h"

#include <fmt/format.h>
#include <poll.h>

#include <cerrno>
#include <cmath>
#include <cstring>

#include "asynprox/report/json_text.h"

#include "cli/output_files.h"

namespace asynprox::cli {
namespace {

// 12345678 as "12.3 M".
std::string short_number(double number) {
  if (number >= 1e9) return fmt::format("{:.3g} G", number / 1e9);
  if (number >= 1e6) return fmt::format("{:.3g} M", number / 1e6);
  if (number >= 1e3) return fmt::format("{:.3g} k", number / 1e3);
  return fmt::format("{:.3g}", number);
}

std::string duration(double seconds) {
  const long whole = std::lround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

// The most important first: a narrow terminal shows the beginning.
std::string text_of(const Progress& now) {
  std::string text = fmt::format("{} steps, {:.3g} epochs", now.steps, now.epochs);
  if (now.has_objective) text += fmt::format(", objective {:.6g}", now.objective);
  text += fmt::format(", {} nonzeros", now.nonzeros);
  if (now.seconds_left) text += fmt::format(", {} left", duration(*now.seconds_left));
  text += fmt::format(", staleness {:.2g} (max {}), {} gradients/s", now.staleness_mean,
                      now.staleness_max, short_number(now.sample_gradients_per_second));
  return text;
}

std::string json_of(const Progress& now) {
  return fmt::format(
      R"({{"event":"progress","seconds":{},"steps":{},"sample_gradients":{},"epochs":{},)"
      R"("objective":{},"nonzeros":{},"staleness_mean":{},"staleness_max":{},)"
      R"("sample_gradients_per_second":{},"seconds_left":{}}})",
      json_number(now.seconds), now.steps, now.sample_gradients, json_number(now.epochs),
      now.has_objective ? json_number(now.objective) : "null", now.nonzeros,
      json_number(now.staleness_mean), now.staleness_max,
      json_number(now.sample_gradients_per_second),
      now.seconds_left ? json_number(*now.seconds_left) : "null");
}

std::string json_of(const Evaluation& now) {
  return fmt::format(
      R"({{"event":"evaluation","seconds":{},"steps":{},"sample_gradients":{},"epochs":{},)"
      R"("objective":{},"loss_value":{},"regularizer_value":{},"gradient_mapping":{},)"
      R"("nonzeros":{},"staleness_max":{},"duality_gap":{}}})",
      json_number(now.seconds), now.steps, now.sample_gradients, json_number(now.epochs),
      now.has_objective ? json_number(now.objective) : "null",
      now.has_objective ? json_number(now.loss_value) : "null", json_number(now.regularizer_value),
      json_number(now.gradient_mapping), now.nonzeros, now.staleness_max,
      now.duality_gap ? json_number(*now.duality_gap) : "null");
}

// Waits until a line can be written without waiting further; false, with errno set, where nobody
// has read for long: a run must not wait for ever for a pipe that is full.
bool wait_for_room(std::FILE* file) {
  constexpr int kMilliseconds = 5000;
  pollfd writing = {.fd = ::fileno(file), .events = POLLOUT, .revents = 0};
  int ready = ::poll(&writing, 1, kMilliseconds);
  if (ready < 0 && errno == EINTR) ready = ::poll(&writing, 1, kMilliseconds);
  if (ready == 0) errno = ETIMEDOUT;
  return ready > 0;
}

std::string reason_of(int error_number) {
  return error_number == ETIMEDOUT ? "nobody has read from it for 5 seconds; the log ends here"
                                   : std::strerror(error_number);
}

}  // namespace

ProgressReport::ProgressReport(bool on_terminal, const std::optional<std::string>& log_path)
    : line_(on_terminal) {
  if (!log_path) return;
  log_path_ = *log_path;
  log_ = open_output("--log", log_path_);
}

void ProgressReport::show(const Progress& progress) {
  if (progress.steps > 0) line_.show(text_of(progress));
  log(json_of(progress));
}

void ProgressReport::show(const Evaluation& evaluation) { log(json_of(evaluation)); }

void ProgressReport::log(const std::string& line) {
  if (!log_) return;
  if (!log_begun_) empty_file(log_.get());
  log_begun_ = true;
  const bool written =
      wait_for_room(log_.get()) && std::fputs((line + "\n").c_str(), log_.get()) >= 0;
  if (written && std::fflush(log_.get()) == 0) return;
  say_warning(fmt::format("--log: {}: {}; the run goes on", log_path_, reason_of(errno)));
  log_.reset();
}

}  // namespace asynprox::cli
