// asynprox train: fit a model.
#include <fmt/format.h>

#include <filesystem>

#include "asynprox/data/fingerprint.h"
#include "asynprox/data/labels.h"
#include "asynprox/data/read_numbers.h"
#include "asynprox/models/fitted_model.h"
#include "asynprox/models/metrics.h"
#include "asynprox/models/model_file.h"
#include "asynprox/models/picture.h"
#include "asynprox/models/write_file.h"
#include "asynprox/report/run_record.h"
#include "asynprox/solve.h"
#include "asynprox/version.h"

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/load.h"
#include "cli/signals.h"
#include "cli/terminal.h"

namespace asynprox::cli {
namespace {

namespace fs = std::filesystem;

// Everything a run needs, made from the arguments before the work begins, so that a slip is found
// early.
struct Job {
  Dataset data;
  std::string data_fingerprint;  // as it was read
  std::string loss_spec;
  AnyLoss loss = SquaredLoss{};
  AnyRegularizer regularizer = Zero{};
  std::optional<SignLabelNames> label_names;
  std::optional<Dataset> test;
  Options options;
  SpecFiles files;
};

Options options_of(const TrainArguments& arguments) {
  Options options;
  options.method = chosen("--method", arguments.method, kAllMethods);
  options.step = make_step_size(parse_spec(arguments.step));
  require(!arguments.workers || *arguments.workers >= 1, "--workers: expected at least 1");
  options.workers = arguments.workers.value_or(0);
  options.batch_size = arguments.batch_size;
  options.pushes_per_step = arguments.pushes_per_step;
  options.staleness_max = arguments.staleness_max;
  options.staleness_policy = chosen("--staleness-policy", arguments.staleness_policy,
                                    std::array{StalenessPolicy::hold, StalenessPolicy::recompute});
  require_one_of("--sampling", arguments.sampling, {"replacement"});
  options.stop = {arguments.steps, arguments.epochs, arguments.seconds, arguments.tolerance};
  options.trace_every = arguments.trace_every;
  options.runtime =
      chosen("--runtime", arguments.runtime, std::array{Runtime::threads, Runtime::serial});
  options.state = chosen("--model-state", arguments.model_state,
                         std::array{StateChoice::automatic, StateChoice::dense, StateChoice::lazy});
  options.reference_step = arguments.reference_step;
  options.seed = arguments.seed;
  return options;
}

void choose_start(const TrainArguments& arguments, Options& options) {
  if (!arguments.start) return;
  for (const Start start : {Start::zeros, Start::uniform, Start::random})
    if (*arguments.start == name(start)) options.start = start;
  if (options.start != Start::automatic) return;
  if (!fs::exists(*arguments.start))
    require_one_of("--start", *arguments.start, {"zeros", "uniform", "random", "a file"});
  options.x0 = read_numbers(*arguments.start);
}

// Two labels: logistic. Else squared, with a word on what that means for classes.
std::string default_loss(const TrainArguments& arguments, const Dataset& data) {
  const LabelSummary labels = label_summary(data.labels);
  if (arguments.positive_label || labels.distinct.size() == 2) return "logistic";
  if (labels.all_whole && labels.distinct.size() >= 3)
    say_warning(
        fmt::format("{} has {} whole labels: they are fitted as numbers, by squared loss; "
                    "for one class against the rest use --positive-label",
                    data.name, labels.distinct.size()));
  return "squared";
}

void choose_labels(const TrainArguments& arguments, Job& job) {
  if (job.loss.labels() != Labels::signs) {
    require(!arguments.positive_label,
            fmt::format("--positive-label: {} does not tell classes apart", job.loss.name()));
    return;
  }
  SignLabels signs = sign_labels(job.data.labels, arguments.positive_label);
  job.label_names = {signs.negative, signs.positive, signs.one_against_rest};
  job.data.labels = std::move(signs.signs);
}

// Is --out ours to write to? Looks, and changes nothing.
void check_folder(const TrainArguments& arguments) {
  if (!arguments.out || !fs::exists(*arguments.out)) return;
  const fs::path folder = *arguments.out;
  require(fs::is_directory(folder),
          fmt::format("--out: expected a folder, got the file {}", folder.string()));
  require(
      arguments.force || fs::is_empty(folder),
      fmt::format("--out: {} is not empty; --force writes there all the same", folder.string()));
}

// Makes the folder, and finds out before the work whether it can be written to.
void prepare_folder(const TrainArguments& arguments) {
  if (!arguments.out) return;
  const fs::path folder = *arguments.out;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw Error(fmt::format("--out: {}: {}", folder.string(), error.message()));
  const fs::path probe = folder / "writable";
  write_whole_file(probe.string(), "");
  fs::remove(probe, error);
  for (const char* name : {"run.json", "trace.csv", "model.json"})
    if (fs::is_directory(folder / name))
      throw Error(fmt::format("--out: {} is a folder", (folder / name).string()));
}

FittedModel fitted_model(const TrainArguments& arguments, const Job& job, const Vector& x) {
  return {.loss = job.loss_spec,
          .regularizer = arguments.regularizer,
          .x = x,
          .normalize_rows = arguments.normalize == "rows",
          .labels = job.label_names,
          .picture = job.data.picture,
          .version = std::string(kVersion)};
}

// Labels that do not fit are found now, by a model of zeros, not after the run.
void load_test(const TrainArguments& arguments, Job& job) {
  require(*arguments.test != "-" || arguments.data.path != "-",
          "--test: standard input can be read only once");
  DataArguments test = arguments.data;
  test.path = *arguments.test;
  test.labels.reset();
  test.dimension.reset();
  job.test = load(test);
  const Metrics metrics =
      evaluate(fitted_model(arguments, job, Vector(job.data.dimension(), 0)), *job.test);
  if (metrics.columns_ignored > 0)
    say_warning(columns_ignored_text(test.path, metrics.columns_ignored));
}

Job make_job(const TrainArguments& arguments) {
  Job job;
  job.options = options_of(arguments);
  choose_start(arguments, job.options);
  job.regularizer = make_regularizer(parse_spec(arguments.regularizer), job.files.reader());
  if (arguments.loss) job.loss = make_loss(parse_spec(*arguments.loss));
  require_one_of("--normalize", arguments.normalize, {"none", "rows"});
  check_folder(arguments);

  job.data = load(arguments.data);
  job.data_fingerprint = fingerprint(job.data);
  job.loss_spec = arguments.loss ? *arguments.loss : default_loss(arguments, job.data);
  job.loss = make_loss(parse_spec(job.loss_spec));
  if (arguments.normalize == "rows") normalize_rows(job.data);
  if (arguments.picture && !job.data.picture)
    throw ContractError(fmt::format("--picture: {} is not data of pictures", job.data.name));
  choose_labels(arguments, job);
  if (arguments.test) load_test(arguments, job);
  return job;
}

std::string progress_text(const Evaluation& now) {
  return fmt::format(
      "{} steps, {:.3g} epochs, objective {:.8g}, {} nonzeros, staleness max {}, "
      "{:.1f} s",
      now.steps, now.epochs, now.objective, now.nonzeros, now.staleness_max, now.seconds);
}

SettingList settings_of(const TrainArguments& arguments, const Job& job, const Result& result) {
  const Settings& used = result.settings;
  const auto or_unused = [](const auto& value) -> SettingValue {
    if (!value) return {};
    return *value;
  };
  SettingList settings = {
      {"loss", job.loss_spec},
      {"regularizer", arguments.regularizer},
      {"method", std::string(name(used.method))},
      {"step", arguments.step},
      {"workers", std::int64_t{used.workers}},
      {"batch-size", used.batch_size},
      {"pushes-per-step", std::int64_t{used.pushes_per_step}},
      {"staleness-max", used.staleness_max},
      {"staleness-policy", std::string(name(used.staleness_policy))},
      {"sampling", arguments.sampling},
      {"epochs", or_unused(used.stop.epochs)},
      {"steps", or_unused(used.stop.steps)},
      {"seconds", or_unused(used.stop.seconds)},
      {"tolerance", or_unused(used.stop.tolerance)},
      {"trace-every", or_unused(arguments.trace_every)},
      {"runtime", std::string(name(used.runtime))},
      {"model-state", std::string(name(used.state))},
      {"normalize", arguments.normalize},
      {"dimension", static_cast<std::int64_t>(result.dimension)},
      {"zero-based", arguments.data.zero_based},
      {"labels", or_unused(arguments.data.labels)},
      {"positive-label",
       job.label_names ? SettingValue(job.label_names->positive) : SettingValue()},
      {"start", arguments.start ? *arguments.start : std::string(name(used.start))},
      {"reference-step", result.reference_step},
      {"seed", used.seed},
      {"test", or_unused(arguments.test)},
  };
  return settings;
}

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

RunRecord record_of(const TrainArguments& arguments, const Job& job, Result result,
                    const FittedModel& model) {
  RunRecord record;
  record.settings = settings_of(arguments, job, result);
  record.result = std::move(result);
  if (job.test) record.test = test_figures(model, *job.test);
  record.version = kVersion;
  record.command_line = arguments.command_line;
  record.data_path = arguments.data.path;
  record.data_fingerprint = job.data_fingerprint;
  record.file_hashes = job.files.hashes();
  record.machine = this_machine();
  return record;
}

// The model first and the picture last: what cannot be written must not cost what can.
void save(const TrainArguments& arguments, const RunRecord& record, const FittedModel& model) {
  if (arguments.out) {
    const fs::path folder = *arguments.out;
    write_model(model, (folder / "model.json").string());
    write_whole_file((folder / "trace.csv").string(), trace_csv(record.result.trace));
    write_whole_file((folder / "run.json").string(), run_json(record));
  }
  if (arguments.picture) write_picture(model.x, *model.picture, *arguments.picture);
}

int exit_code_of(const Result& result, const SignalWatch& signals) {
  if (result.stop_reason == StopReason::diverged) return kDiverged;
  if (result.stop_reason == StopReason::interrupted) return signals.exit_code();
  return kDone;
}

}  // namespace

int run(const TrainArguments& arguments) {
  Job job = make_job(arguments);
  const bool in_words = !arguments.quiet && !arguments.json;
  job.options.on_start = [&](const Settings&) {
    prepare_folder(arguments);
    if (in_words)
      print(fmt::format("{:<11} {}: {} samples, {} features, {}\n{:<11} {} + {}\n", "data",
                        job.data.name, job.data.num_samples(), job.data.dimension(),
                        job.data.rows.form(), "problem", job.loss_spec, arguments.regularizer));
    flush_output();
  };
  const SignalWatch signals;
  Result result;
  {
    ProgressLine progress(in_words);
    job.options.interrupt = &signals.flag();
    job.options.on_evaluation = [&](const Evaluation& now) { progress.show(progress_text(now)); };
    result = solve(job.data, job.loss, job.regularizer, job.options);
  }
  for (const std::string& warning : result.warnings) say_warning(warning);

  const FittedModel model = fitted_model(arguments, job, result.x);
  const RunRecord record = record_of(arguments, job, std::move(result), model);
  save(arguments, record, model);
  if (arguments.json)
    print(result_json(record));
  else if (in_words)
    print(summary(record));
  if (arguments.out && in_words)
    print(fmt::format("{:<11} {}/model.json, run.json, trace.csv\n", "saved", *arguments.out));
  flush_output();
  return exit_code_of(record.result, signals);
}

}  // namespace asynprox::cli
