// asynprox data generate: generated data, straight into a file.
#include <fmt/format.h>

#include <chrono>

#include "asynprox/data/generators/all.h"
#include "asynprox/data/write_generated.h"

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/load.h"
#include "cli/signals.h"
#include "cli/terminal.h"

namespace asynprox::cli {
namespace {

using Clock = std::chrono::steady_clock;

// Says how far the work is, a few times a second.
class GenerationProgress {
 public:
  GenerationProgress(bool wanted, std::uint64_t num_rows) : line_(wanted), num_rows_(num_rows) {}

  void show(std::uint64_t rows_done) {
    const Clock::time_point now = Clock::now();
    if (now - shown_ < std::chrono::milliseconds(200)) return;
    shown_ = now;
    line_.show(fmt::format("{} of {} samples, {:.0f} %, {:.1f} s", rows_done, num_rows_,
                           100 * static_cast<double>(rows_done) / static_cast<double>(num_rows_),
                           std::chrono::duration<double>(now - start_).count()));
  }

 private:
  ProgressLine line_;
  const std::uint64_t num_rows_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point shown_ = start_;
};

// The prefix that DATA needs is no mistake here.
Spec spec_of(std::string_view text) {
  constexpr std::string_view kPrefix = "generate:";
  return parse_spec(text.starts_with(kPrefix) ? text.substr(kPrefix.size()) : text);
}

}  // namespace

int run(const DataGenerateArguments& arguments) {
  const GeneratedRows rows = make_generator(spec_of(arguments.spec)).rows();
  check_output_file(arguments.out, arguments.force);
  const SignalWatch signals;
  std::optional<WrittenRows> written;
  {
    GenerationProgress progress(!arguments.quiet, rows.num_rows);
    written = write_generated(rows, arguments.out, {.go_on = [&](std::uint64_t rows_done) {
                                progress.show(rows_done);
                                return !signals.flag().load();
                              }});
  }
  if (!written) return signals.exit_code();
  if (!arguments.quiet)
    print_words(fmt::format("{:<11} {}\n{:<11} {}\n{:<11} {}\n{:<11} {}\n{:<11} {}\n", "samples",
                            rows.num_rows, "features", rows.num_columns, "nonzeros",
                            written->num_nonzeros, "bytes", written->bytes, "saved",
                            arguments.out));
  flush_output();
  return kDone;
}

}  // namespace asynprox::cli
