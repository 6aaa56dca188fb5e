// asynprox replay: make a recorded run again, and compare the bits.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "asynprox/base/errors.h"
#include "asynprox/linalg/simd.h"
#include "asynprox/report/event_file.h"
#include "asynprox/report/json_text.h"
#include "asynprox/report/read_run.h"
#include "asynprox/run/json.h"

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/recorded_inputs.h"
#include "cli/signals.h"
#include "cli/terminal.h"

namespace asynprox::cli {
namespace {

Plan plan_of(const RecordedRun& run, SpecFiles& files, const std::string& path) {
  return naming<ContractError, DataError>(
      path, [&] { return plan_from_json(run.plan_json, files.reader()); });
}

BuiltProblem problem_of(const RecordedRun& run, const ReplayArguments& arguments,
                        std::uint64_t seed, const std::string& path) {
  return rebuild_problem(run.problem, arguments.data, seed, path);
}

// The one difference that a user can do something about.
std::string hint(const Build& recorded) {
  const std::vector<std::string> levels = simd_levels();
  const bool available = std::ranges::find(levels, recorded.simd_level) != levels.end();
  if (recorded.simd_level == simd_level() || !available) return "";
  return fmt::format("; try --simd {}", recorded.simd_level);
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
  if (arguments.machine.simd) set_simd_level(*arguments.machine.simd);
  const std::filesystem::path folder = arguments.folder;
  const std::string record_path = (folder / "run.json").string();
  const RecordedRun recorded = read_run(record_path);
  const std::string events_path = (folder / "events.log").string();
  EventFileReader events(events_path);
  const std::string other_build = difference(events.build(), this_build());
  if (!other_build.empty())
    throw DataError(fmt::format("{}: the same bits are not promised here: {}{}", events_path,
                                other_build, hint(events.build())));
  SpecFiles files;
  const Plan plan = plan_of(recorded, files, record_path);
  const BuiltProblem problem = problem_of(recorded, arguments, plan.seed, record_path);
  require_same_inputs({recorded.data_fingerprint, recorded.file_hashes}, problem, files);

  const SignalWatch signals;
  ProgressLine progress(!arguments.json);
  const auto on_evaluation = [&](const Evaluation& now) {
    progress.show(fmt::format("{} steps compared", now.steps));
  };
  const auto next_event = [&]() -> std::optional<Event> {
    if (signals.flag()) throw Error("interrupted");
    return events.next();
  };
  Replayed replayed;
  try {
    replayed = replay(problem, plan, next_event,
                      {.on_evaluation = on_evaluation, .stops_before = recorded.stops_before});
  } catch (const Error&) {
    if (signals.flag()) return signals.exit_code();
    throw;
  }
  report(replayed, arguments);
  return replayed.comparison.difference ? kFailed : kDone;
}

}  // namespace asynprox::cli
