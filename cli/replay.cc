// asynprox replay: make a recorded run again, and compare the bits.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "asynprox/base/errors.h"
#include "asynprox/data/number_token.h"
#include "asynprox/linalg/simd.h"
#include "asynprox/report/event_file.h"
#include "asynprox/report/json_text.h"
#include "asynprox/report/read_run.h"

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/job.h"
#include "cli/signals.h"
#include "cli/terminal.h"

namespace asynprox::cli {
namespace {

// Recorded settings that say nothing about the run itself.
constexpr std::array<std::string_view, 3> kOfNoConsequence = {"test", "pin", "simd"};

// Options that no run records: a record that has one was not written by a run.
constexpr std::array<std::string_view, 9> kNeverRecorded = {
    "config", "force", "help", "json", "log", "no-events", "out", "picture", "quiet"};

// The record comes from who knows where: nothing in it may become another word of a command line
// than the one it stands for.
void require_setting(const std::string& name, const std::string& path) {
  const bool spelt = name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string::npos;
  if (!spelt || name.empty() || name.front() == '-' ||
      std::ranges::find(kNeverRecorded, name) != kNeverRecorded.end())
    throw DataError(fmt::format("{}: settings: expected options that a run records, got {}", path,
                                quoted_token(name)));
}

bool is_option(std::string_view word) { return word.size() > 1 && word.starts_with('-'); }

std::string data_of(const RecordedRun& run, const ReplayArguments& arguments,
                    const std::string& path) {
  if (arguments.data) {
    require(!is_option(*arguments.data), "--data: expected DATA, got an option");
    return *arguments.data;
  }
  if (run.data_path.empty() || is_option(run.data_path))
    throw DataError(fmt::format("{}: data: path: expected DATA as for 'train', got {}", path,
                                quoted_token(run.data_path)));
  return run.data_path;
}

// The command line that makes the recorded run again. `path`: where the record is.
TrainArguments arguments_of(const RecordedRun& run, const ReplayArguments& arguments,
                            const std::string& path) {
  const auto is_simulated = [](const RecordedSetting& setting) {
    return setting.name == "runtime" && setting.value == name(Runtime::simulated);
  };
  const bool simulate = std::ranges::any_of(run.settings, is_simulated);
  std::vector<std::string> words = {simulate ? "simulate" : "train", data_of(run, arguments, path)};
  for (const RecordedSetting& setting : run.settings) {
    require_setting(setting.name, path);
    if (is_simulated(setting)) continue;
    if (std::ranges::find(kOfNoConsequence, setting.name) != kOfNoConsequence.end()) continue;
    words.push_back("--" + setting.name + (setting.value ? "=" + *setting.value : ""));
  }
  try {
    const Arguments parsed = parse_command_line(words).arguments;
    return simulate ? std::get<SimulateArguments>(parsed).train : std::get<TrainArguments>(parsed);
  } catch (const ContractError& error) {
    throw DataError(fmt::format("{}: {}", path, error.what()));
  }
}

// The one difference that a user can do something about.
std::string hint(const Build& recorded) {
  const std::vector<std::string> levels = simd_levels();
  const bool available = std::ranges::find(levels, recorded.simd_level) != levels.end();
  if (recorded.simd_level == simd_level() || !available) return "";
  return fmt::format("; try --simd {}", recorded.simd_level);
}

void require_same_inputs(const RecordedRun& run, const Job& job) {
  if (job.data_fingerprint != run.data_fingerprint)
    throw DataError(fmt::format("{}: expected the data of the run, fingerprint {}, got {}",
                                job.data.name, run.data_fingerprint, job.data_fingerprint));
  for (const auto& recorded : run.file_hashes) {
    const auto& now = job.files.hashes();
    if (std::ranges::find(now, recorded) == now.end())
      throw DataError(fmt::format("{}: this file has changed since the run", recorded.first));
  }
}

void report(const Replayed& replayed, const ReplayArguments& arguments) {
  const Comparison& comparison = replayed.comparison;
  const std::string difference = comparison.difference.value_or("");
  if (arguments.json) {
    print(fmt::format(R"({{"same":{},"difference":{},"pushes":{},"models":{},"steps":{}}})"
                      "\n",
                      !comparison.difference,
                      comparison.difference ? json_string(difference) : "null", comparison.pushes,
                      comparison.models, replayed.result.steps));
  } else if (!comparison.difference) {
    print(fmt::format("the same bits: {} pushes, {} steps, {} models compared\n", comparison.pushes,
                      replayed.result.steps, comparison.models));
  } else {
    print_words(fmt::format("not the same: {}\n", difference));
  }
  flush_output();
}

}  // namespace

int run(const ReplayArguments& arguments) {
  if (arguments.simd) set_simd_level(*arguments.simd);
  const std::filesystem::path folder = arguments.folder;
  const std::string record_path = (folder / "run.json").string();
  const RecordedRun recorded = read_run(record_path);
  const std::string events_path = (folder / "events.log").string();
  EventFileReader events(events_path);
  const std::string other_build = difference(events.build(), this_build());
  if (!other_build.empty())
    throw DataError(fmt::format("{}: the same bits are not promised here: {}{}", events_path,
                                other_build, hint(events.build())));
  Job job = make_job(arguments_of(recorded, arguments, record_path));
  require_same_inputs(recorded, job);

  const SignalWatch signals;
  ProgressLine progress(!arguments.json);
  job.options.on_evaluation = [&](const Evaluation& now) {
    progress.show(fmt::format("{} steps compared", now.steps));
  };
  const auto next_event = [&]() -> std::optional<Event> {
    if (signals.flag()) throw Error("interrupted");
    return events.next();
  };
  Replayed replayed;
  try {
    replayed = replay(job, next_event);
  } catch (const Error&) {
    if (signals.flag()) return signals.exit_code();
    throw;
  }
  report(replayed, arguments);
  return replayed.comparison.difference ? kFailed : kDone;
}

}  // namespace asynprox::cli
