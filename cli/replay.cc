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
#include "cli/problem.h"
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
  ProblemSpec spec = run.problem;
  if (arguments.data) spec.data.path = *arguments.data;
  if (spec.data.path.empty())
    throw DataError(path + ": problem.data.path: expected the data of the run, got nothing");
  return naming<ContractError>(path, [&] { return build_problem(spec, seed); });
}

// The one difference that a user can do something about.
std::string hint(const Build& recorded) {
  const std::vector<std::string> levels = simd_levels();
  const bool available = std::ranges::find(levels, recorded.simd_level) != levels.end();
  if (recorded.simd_level == simd_level() || !available) return "";
  return fmt::format("; try --simd {}", recorded.simd_level);
}

void require_same_inputs(const RecordedRun& run, const BuiltProblem& problem,
                         const SpecFiles& others) {
  if (problem.data_fingerprint != run.data_fingerprint)
    throw DataError(fmt::format("{}: expected the data of the run, fingerprint {}, got {}",
                                problem.data.name, run.data_fingerprint, problem.data_fingerprint));
  for (const auto& recorded : run.file_hashes) {
    const auto has = [&](const SpecFiles& files) {
      return std::ranges::find(files.hashes(), recorded) != files.hashes().end();
    };
    if (!has(problem.files) && !has(others))
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
  require_same_inputs(recorded, problem, files);

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
    replayed = replay(problem, plan, next_event, on_evaluation);
  } catch (const Error&) {
    if (signals.flag()) return signals.exit_code();
    throw;
  }
  report(replayed, arguments);
  return replayed.comparison.difference ? kFailed : kDone;
}

}  // namespace asynprox::cli
