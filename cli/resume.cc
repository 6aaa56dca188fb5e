// asynprox resume: go on with a run from its last checkpoint.
#include <fmt/format.h>

#include <filesystem>

#include "asynprox/base/errors.h"
#include "asynprox/linalg/simd.h"
#include "asynprox/run/json.h"
#include "asynprox/version.h"

#include "cli/commands.h"
#include "cli/fit.h"
#include "cli/output_files.h"
#include "cli/recorded_inputs.h"
#include "cli/terminal.h"

namespace asynprox::cli {
namespace {

FoundCheckpoint find_checkpoint(const std::string& folder) {
  if (!std::filesystem::is_directory(folder))
    throw DataError(folder + ": expected the folder of a run, got no folder");
  FoundCheckpoint found = newest_checkpoint(folder);
  const Checkpoint& checkpoint = found.checkpoint;
  if (!found.damaged.empty())
    say_warning(fmt::format("{}; the run goes on from {}, after {} steps", found.damaged,
                            found.path, checkpoint.state.steps));
  if (checkpoint.version != kVersion)
    throw DataError(fmt::format("{}: expected a checkpoint of asynprox {}, got one of {}",
                                found.path, kVersion, checkpoint.version));
  return found;
}

// Sets the options of `owner` that were given, as they were written.
template <class Owner>
void set_given(Owner& owner, const GivenTexts& given, const ReadNumbers& read = nullptr) {
  for (const DeclaredOption<Owner>& option : declared_options<Owner>())
    if (const auto text = given.find(option.about.name); text != given.end())
      option.set(owner, text->second, "--" + option.about.name, read);
}

// The arguments of the command that began the run, with what `resume` says of its own.
FitArguments arguments_of(const KeptRun& run, const ResumeArguments& resume) {
  FitArguments arguments;
  arguments.problem = run.problem;
  arguments.given = run.given;
  arguments.command_line = run.command_line;
  set_given(arguments.options, run.given, arguments.files.reader());
  set_given(arguments.machine, run.given);
  set_given(arguments.program, run.given);
  if (resume.machine.simd) arguments.machine = resume.machine;
  StoppingRules& stop = arguments.options.stop;
  if (resume.epochs) stop.epochs = resume.epochs;
  if (resume.steps) stop.steps = resume.steps;
  if (resume.seconds) stop.seconds = resume.seconds;
  if (resume.tolerance) stop.tolerance = resume.tolerance;
  ProgramOptions& program = arguments.program;
  program.out = resume.folder;
  program.no_events = !run.recorded;
  program.log = resume.log;
  program.force = true;  // in that folder
  program.json = resume.json;
  program.quiet = resume.quiet;
  program.verbose = resume.verbose;
  if (resume.checkpoint_every.any()) program.checkpoint_every = resume.checkpoint_every;
  return arguments;
}

void change_limits(const ResumeArguments& resume, KeptRun& run) {
  run.stops_before.push_back(run.plan.stop);
  StoppingRules& stop = run.plan.stop;
  if (resume.epochs) stop.epochs = resume.epochs;
  if (resume.steps) stop.steps = resume.steps;
  if (resume.seconds) stop.seconds = resume.seconds;
  if (resume.tolerance) stop.tolerance = resume.tolerance;
}

// The same bits are promised by the same build only.
void warn_of_other_build(KeptRun& run) {
  const std::string other_build = difference(run.build, this_build());
  if (other_build.empty()) return;
  say_warning(
      fmt::format("{}: the run goes on, with other bits, and cannot be replayed", other_build));
  run.recorded = false;
}

}  // namespace

int run(const ResumeArguments& resume) {
  FoundCheckpoint found = find_checkpoint(resume.folder);
  SpecFiles files;
  KeptRun run = naming<ContractError, DataError>(
      found.path, [&] { return kept_run_from_json(found.checkpoint.run, files.reader()); });
  if (hash_of_text(plan_json(run.plan)) != found.checkpoint.plan_hash)
    throw DataError(found.path + ": its plan is not the one that its head names");
  FitArguments arguments =
      naming<ContractError>(found.path, [&] { return arguments_of(run, resume); });
  if (arguments.machine.simd) set_simd_level(*arguments.machine.simd);
  warn_of_other_build(run);
  arguments.program.no_events = !run.recorded;
  if (resume.log && !resume.force) require_new_log(*resume.log);

  BuiltProblem problem = rebuild_problem(run.problem, resume.data, run.plan.seed, found.path);
  require_same_inputs({found.checkpoint.data_fingerprint, run.file_hashes}, problem, files);
  change_limits(resume, run);
  arguments.problem = problem.spec;
  Options options = arguments.options;
  options.runtime = run.plan.execution.runtime;
  OutFolder folder(arguments.program);
  Job job = make_job(arguments, options, std::move(problem));
  job.resumption = Resumption{std::move(found), std::move(run)};
  return make_run(arguments, job, folder);
}

}  // namespace asynprox::cli
