#include "cli/fit.h"

#include <fmt/format.h>

#include "asynprox/base/errors.h"
#include "asynprox/checkpoints.h"
#include "asynprox/linalg/simd.h"
#include "asynprox/models/kinds.h"
#include "asynprox/models/metrics.h"
#include "asynprox/models/picture.h"
#include "asynprox/report/run_record.h"
#include "asynprox/version.h"

#include "cli/checkpoints.h"
#include "cli/job.h"
#include "cli/out_folder.h"
#include "cli/outcome.h"
#include "cli/output_files.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/terminal.h"

namespace asynprox::cli {
namespace {

using FileHashes = std::vector<std::pair<std::string, std::string>>;

// A model that diverged may give scores that are not finite: then there are no figures, and the run
// is kept all the same.
TestFigures test_figures(const FittedModel& model, const Dataset& test) {
  try {
    return figures(evaluate(model, test));
  } catch (const DataError& error) {
    say_warning(error.what());
    return {};
  }
}

SettingList settings_as_used(const FitArguments& arguments, const ProblemSpec& problem,
                             const Plan& plan) {
  SettingList settings = settings_of(problem, arguments.options, plan, arguments.given);
  const MachineOptions machine = {.simd = std::string(simd_level())};
  add_settings(machine, plan.execution.runtime, arguments.given, settings);
  add_settings(arguments.program, plan.execution.runtime, arguments.given, settings);
  return settings;
}

FileHashes file_hashes(const FitArguments& arguments, const Job& job) {
  FileHashes hashes = job.problem.files.hashes();
  for (const auto& file : arguments.files.hashes()) hashes.push_back(file);
  return hashes;
}

RunRecord record_of(const FitArguments& arguments, const Job& job, Result result,
                    const FittedModel& model) {
  RunRecord record;
  record.settings = settings_as_used(arguments, job.problem.spec, result.plan);
  record.result = std::move(result);
  if (job.test) record.test = test_figures(model, *job.test);
  record.version = kVersion;
  record.command_line = arguments.command_line;
  record.problem = job.problem.spec;
  record.data_fingerprint = job.problem.data_fingerprint;
  record.file_hashes = file_hashes(arguments, job);
  record.machine = this_machine();
  if (job.resumption) record.stops_before = job.resumption->run.stops_before;
  return record;
}

// What could not be saved, in words; empty if all could. It must not cost what is printed.
std::string save(const ProgramOptions& program, OutFolder& folder, const RunRecord& record,
                 const FittedModel& model) {
  try {
    folder.save(record, model);
    if (program.picture) write_picture(model, *program.picture);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

// How much of a network is gone, a line of the summary.
std::string units_text(const FittedModel& model) {
  const std::optional<HiddenUnits> units = hidden_units(model);
  if (!units) return "";
  return fmt::format("{:<11} {} of {} hidden units are zero\n", "units", units->zero, units->total);
}

// What its checkpoints keep of the run.
KeptRun kept_run(const FitArguments& arguments, const Job& job, const Plan& plan) {
  KeptRun run;
  run.command = plan.execution.runtime == Runtime::simulated ? "simulate" : "train";
  run.command_line = arguments.command_line;
  run.given = arguments.given;
  run.problem = job.problem.spec;
  run.plan = plan;
  if (job.resumption) run.stops_before = job.resumption->run.stops_before;
  run.file_hashes = file_hashes(arguments, job);
  run.build = this_build();
  return run;
}

void say_problem(const Job& job) {
  const ProblemSpec& spec = job.problem.spec;
  const Dataset& data = job.problem.data;
  print_words(fmt::format("{:<11} {}: {} samples, {} features, {}\n{:<11} {}{} + {}\n", "data",
                          data.name, data.num_samples(), data.dimension(), data.rows.form(),
                          "problem", job.problem.sum ? spec.model + ", " : "", *spec.loss,
                          spec.regularizer));
  if (job.resumption)
    print_words(fmt::format("{:<11} from {}, after {} steps\n", "resumed",
                            job.resumption->found.path,
                            job.resumption->found.checkpoint.state.steps));
}

Result solve_or_resume(const Job& job, const Solver& solver) {
  if (solver) return solver(job.problem, job.options);
  if (!job.resumption) return solve(job.problem, job.options);
  const Resumption& resumption = *job.resumption;
  return naming<ContractError>(resumption.found.path, [&] {
    return resume(
        job.problem, resumption.run.plan, resumption.found.checkpoint.state,
        {.stop_before = resumption.run.stops_before.back(), .hooks = hooks_of(job.options)});
  });
}

Result carry_out(const FitArguments& arguments, Job& job, OutFolder& folder,
                 RunCheckpoints& checkpoints, SignalWatch& signals, const Solver& solver) {
  const ProgramOptions& program = arguments.program;
  const bool in_words = !program.quiet && !program.json;
  job.options.on_start = [&](const Plan& plan) {
    signals.run_begins();
    if (job.resumption)
      folder.prepare_to_go_on(job.resumption->found.checkpoint.state.events);
    else
      folder.prepare();
    if (program.out)
      checkpoints.describe(kept_run(arguments, job, plan), job.problem.data_fingerprint);
    if (in_words) say_problem(job);
    flush_output();
  };
  ProgressReport report(in_words, program.log);
  job.options.interrupt = &signals.flag();
  job.options.on_evaluation = [&](const Evaluation& now) { report.show(now); };
  job.options.on_progress = [&](const Progress& now) { report.show(now); };
  job.options.on_events = folder.event_sink();
  if (program.out) job.options.checkpoints = checkpoints.hooks(program.checkpoint_every);
  return solve_or_resume(job, solver);
}

// What is said of the run on standard output. `saved`: its files could be.
void say_result(const FitArguments& arguments, const RunRecord& record, const FittedModel& model,
                const OutFolder& folder, const RunCheckpoints& checkpoints, bool saved) {
  const ProgramOptions& program = arguments.program;
  const bool in_words = !program.quiet && !program.json;
  if (program.json)
    print(result_json(record));
  else if (in_words)
    print_words(summary(record, {.verbose = program.verbose}) + units_text(model));
  if (program.out && in_words && saved)
    print_words(fmt::format("{:<11} {}\n", "saved", folder.files()));
  const bool interrupted = record.result.stop_reason == StopReason::interrupted;
  if (in_words && interrupted && !checkpoints.last().empty())
    print_words(fmt::format("{:<11} {}: 'asynprox resume {}' goes on\n", "checkpoint",
                            checkpoints.last(), folder.path()));
  flush_output();
}

}  // namespace

int make_run(const FitArguments& arguments, Job& job, OutFolder& folder, const Solver& solver) {
  SignalWatch signals(SignalWatch::Before::the_run);
  RunCheckpoints checkpoints(folder,
                             job.resumption ? job.resumption->found.checkpoint.generation + 1 : 0);
  Result result = carry_out(arguments, job, folder, checkpoints, signals, solver);
  const FittedModel model = fitted_model(job.problem, result.x, result.intercept);
  const RunRecord record = record_of(arguments, job, std::move(result), model);
  // First of all the model is saved: nothing that is said may cost it.
  const std::string failure = save(arguments.program, folder, record, model);
  for (const std::string& warning : record.result.warnings) say_warning(warning);
  say_result(arguments, record, model, folder, checkpoints, failure.empty());
  if (!failure.empty()) throw Error(failure);
  const Result& made = record.result;
  if (made.simulation && made.simulation->no_worker_left)
    throw Error(fmt::format("after {} virtual seconds and {} steps no worker is left", made.seconds,
                            made.steps));
  if (const auto warning = outcome_warning(arguments, made)) say_warning(*warning);
  return exit_code_of(arguments, made, signals);
}

namespace {

void check_checkpoints(const FitArguments& arguments) {
  if (!arguments.program.checkpoint_every.any()) return;
  require(arguments.program.out.has_value(),
          "--checkpoint-every: expected --out FOLDER too, where checkpoints are left");
  // Parts of the state of a served run are with its workers.
  const Runtime runtime = runtime_of(arguments.options);
  require(!is_served(runtime),
          fmt::format("--checkpoint-every: expected --runtime threads or serial, got {}",
                      name(runtime)));
}

}  // namespace

int fit(const FitArguments& arguments, const Options& options, const Solver& solver) {
  if (arguments.machine.simd) set_simd_level(*arguments.machine.simd);
  check_checkpoints(arguments);
  check_outputs(arguments);
  OutFolder folder(arguments.program);
  Job job = make_job(arguments, options);
  return make_run(arguments, job, folder, solver);
}

}  // namespace asynprox::cli
