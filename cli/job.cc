#include "cli/job.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "asynprox/base/errors.h"
#include "asynprox/data/fingerprint.h"
#include "asynprox/data/labels.h"
#include "asynprox/data/split.h"
#include "asynprox/data/weights.h"
#include "asynprox/models/continuation.h"
#include "asynprox/models/metrics.h"
#include "asynprox/problem/matrix_completion.h"
#include "asynprox/regularizers/share.h"
#include "asynprox/version.h"

#include "cli/cluster_options.h"
#include "cli/terminal.h"

namespace asynprox::cli {
namespace {

namespace fs = std::filesystem;

std::optional<bool> chosen_switch(std::string_view option, const std::string& value) {
  require_one_of(option, value, {"auto", "on", "off"});
  if (value == "auto") return std::nullopt;
  return value == "on";
}

bool chosen_pin(const std::string& pin) {
  require_one_of("--pin", pin, {"none", "cores"});
  return pin == "cores";
}

Options options_of(const TrainArguments& arguments) {
  Options options;
  if (arguments.method != "auto") options.method = make_method(parse_spec(arguments.method));
  options.step = make_step_size(parse_spec(arguments.step));
  require(!arguments.workers || *arguments.workers >= 1, "--workers: expected at least 1");
  options.workers = arguments.workers.value_or(0);
  options.batch_size = arguments.batch_size;
  options.pushes_per_step = arguments.pushes_per_step;
  options.staleness_max = arguments.staleness_max;
  options.staleness_policy = chosen("--staleness-policy", arguments.staleness_policy,
                                    std::array{StalenessPolicy::hold, StalenessPolicy::recompute});
  if (arguments.sampling != "auto")
    options.sampling = make_sampling(parse_spec(arguments.sampling));
  options.stop = {arguments.steps, arguments.epochs, arguments.seconds, arguments.tolerance};
  options.trace_every = arguments.trace_every;
  const std::string runtime = arguments.delays ? "serial" : "threads";
  options.runtime = chosen("--runtime", arguments.runtime.value_or(runtime),
                           std::array{Runtime::threads, Runtime::serial});
  if (arguments.cluster) {
    options.runtime = Runtime::simulated;
    options.cluster = cluster_of(*arguments.cluster);
    options.calibrate = arguments.cluster->calibrate;
  }
  options.state = chosen("--model-state", arguments.model_state,
                         std::array{StateChoice::automatic, StateChoice::dense, StateChoice::lazy});
  options.newton = chosen_switch("--newton", arguments.newton);
  options.fallback = chosen_switch("--fallback", arguments.fallback);
  options.pin = chosen_pin(arguments.pin);
  options.pace = arguments.pace;
  if (arguments.speeds) options.speeds = parse_numbers(*arguments.speeds, "--speeds");
  options.reference_step = arguments.reference_step;
  options.intercept = arguments.intercept;
  options.seed = arguments.seed;
  return options;
}

void choose_start(const TrainArguments& arguments, Job& job) {
  Options& options = job.options;
  if (!arguments.start || *arguments.start == name(Start::automatic)) return;
  for (const Start start : {Start::zeros, Start::uniform, Start::random})
    if (*arguments.start == name(start)) options.start = start;
  if (options.start != Start::automatic) return;
  if (!fs::exists(*arguments.start))
    require_one_of("--start", *arguments.start, {"zeros", "uniform", "random", "a file"});
  if (is_model_file(*arguments.start))
    job.start = job.files.model(*arguments.start);
  else
    options.x0 = job.files.reader()(*arguments.start);
}

// Two labels: logistic. Else squared, with a word on what that means for classes.
std::string default_loss(const TrainArguments& arguments, const Dataset& data) {
  const LabelSummary labels = label_summary(data.labels);
  if (arguments.positive_label || labels.distinct.size() == 2) return "logistic";
  if (!data.label_names.empty()) return "multinomial";
  if (labels.all_whole && labels.distinct.size() >= 3 && !data.ratings)
    say_warning(
        fmt::format("{} has {} whole labels: they are fitted as numbers, by squared loss; if they "
                    "are classes use --loss multinomial, or --positive-label for one against the "
                    "rest",
                    data.name, labels.distinct.size()));
  return "squared";
}

void choose_labels(const TrainArguments& arguments, Job& job) {
  const Labels kind = job.loss.labels();
  if (kind == Labels::classes) job.classes = class_labels(job.data).classes;
  if (kind == Labels::number && !job.data.label_names.empty())
    throw ContractError(fmt::format("{}: labels: {} takes numbers, got text, for example '{}'",
                                    job.data.name, job.loss.name(), job.data.label_names.front()));
  if (kind != Labels::signs) {
    require(
        !arguments.positive_label,
        fmt::format("--positive-label: {} does not set one label against others", job.loss.name()));
    return;
  }
  std::optional<double> positive;
  if (arguments.positive_label) positive = label_number(job.data, *arguments.positive_label);
  SignLabels signs = sign_labels(job.data, positive);
  job.label_names = {signs.negative, signs.positive, signs.one_against_rest};
  job.data.labels = std::move(signs.signs);
}

// The samples that are not fitted but evaluated.
void hold_out(const TrainArguments& arguments, Job& job) {
  require(!arguments.test, "--holdout: expected it or --test, got both");
  Split parts = split(job.data, *arguments.holdout, arguments.seed);
  job.data = std::move(parts.train);
  job.test = std::move(parts.test);
}

// How much the classes that are fitted count, and how rows and columns are scaled and centred: in
// this order.
void treat_data(const TrainArguments& arguments, Job& job) {
  if (arguments.class_weight == "balanced") {
    const Labels kind = job.loss.labels();
    require(kind == Labels::signs || kind == Labels::classes,
            fmt::format("--class-weight: {} does not tell classes apart", job.loss.name()));
    weigh_classes(job.data);
  }
  if (arguments.normalize == "rows") normalize_rows(job.data);
  if (arguments.standardize == "columns") standardize_columns(job.data);
  if (arguments.center) center_columns(job.data);
}

// What is minimised, of a model that is not linear.
void choose_sum(const TrainArguments& arguments, Job& job) {
  if (is_linear(job.model)) return;
  const bool treated =
      arguments.normalize != "none" || arguments.standardize != "none" || arguments.center;
  require(!treated || !takes_ratings(job.model),
          "--normalize, --standardize and --center are not for models of ratings");
  require(!arguments.picture, "--picture: expected a linear model, got " + arguments.model);
  const bool classes = job.loss.labels() == Labels::classes;
  Vector labels = classes ? class_labels(job.data).numbers : job.data.labels;
  job.sum = make_sum(job.model, job.data, std::move(labels), job.loss,
                     classes ? job.classes.size() : 1, arguments.intercept);
}

FittedModel model_of_zeros(const TrainArguments& arguments, const Job& job) {
  const std::size_t outputs = std::max<std::size_t>(1, job.classes.size());
  return fitted_model(
      arguments, job,
      Vector(num_coefficients(job.model, job.data.dimension(), outputs, job.data.ratings), 0), {});
}

// The saved model that the run begins with, as this run's data is treated.
void continue_from_model(const TrainArguments& arguments, Job& job) {
  try {
    job.options.x0 = continued(
        *job.start, {.model = model_of_zeros(arguments, job), .intercept = arguments.intercept});
  } catch (const ContractError& error) {
    throw ContractError(fmt::format("--start: {}: {}", *arguments.start, error.what()));
  }
}

// Groups of a network need no file: they are its units.
bool groups_are_units(const ModelKind& model, const Spec& regularizer) {
  const auto& settings = regularizer.settings;
  return std::holds_alternative<NetworkModel>(model) &&
         std::ranges::find(settings, Spec::Setting{"groups", "units"}) != settings.end();
}

// The regulariser, now that the data is known: a strength that is a share of the largest useful
// one, as a number, and the units of a network.
void choose_regularizer(const TrainArguments& arguments, Job& job) {
  const Spec typed =
      regularizer_for(job.model, job.data.ratings, parse_spec(arguments.regularizer));
  const bool matrix = std::holds_alternative<MatrixModel>(job.model);
  require(is_linear(job.model) || matrix || !has_share(typed),
          "--regularizer: a share of the largest strength is for linear models and matrices");
  const bool units = groups_are_units(job.model, typed);
  const ReadNumbers files = job.files.reader();
  const ReadNumbers read = [&](const std::string& path) -> std::vector<double> {
    if (!units || path != "units") return files(path);
    const std::size_t outputs = std::max<std::size_t>(1, job.classes.size());
    return network_shape(job.model, job.data.dimension(), outputs).unit_groups();
  };
  const Spec spec = resolve_share(typed, read, [&] {
    return gradient_at_zero(matrix ? matrix_entries(job.data) : job.data, job.loss, job.options);
  });
  job.regularizer_spec = spec.text();
  job.regularizer = make_regularizer(spec, read);
}

// Labels that do not fit are found now, by a model of zeros, not after the run.
void load_test(const TrainArguments& arguments, Job& job) {
  require(*arguments.test != "-" || arguments.data.path != "-",
          "--test: standard input can be read only once");
  DataArguments test = arguments.data;
  test.path = *arguments.test;
  test.labels.reset();
  test.dimension.reset();
  test.label_column.reset();  // which column it was is part of the model, by name where it has one
  job.test = load_for(model_of_zeros(arguments, job), test, /*rating_optional=*/false);
}

void check_test(const TrainArguments& arguments, const Job& job) {
  const Metrics metrics = evaluate(model_of_zeros(arguments, job), *job.test);
  warn_about_columns(job.test->name, metrics.columns, metrics.columns_ignored);
}

}  // namespace

Result solve(const Job& job) {
  if (job.sum) return solve(job.sum->f, job.regularizer, job.options);
  return solve(job.data, job.loss, job.regularizer, job.options);
}

Replayed replay(const Job& job, const EventSource& next_event) {
  if (job.sum) return replay(job.sum->f, job.regularizer, job.options, next_event);
  return replay(job.data, job.loss, job.regularizer, job.options, next_event);
}

FittedModel fitted_model(const TrainArguments& arguments, const Job& job, const Vector& x,
                         const Vector& intercept) {
  const bool own_offset = job.sum && !job.sum->offset.empty();
  const bool of_ratings = arguments.data.ratings || takes_ratings(job.model);
  return {.loss = job.loss_spec,
          .regularizer = job.regularizer_spec,
          .outputs = std::max<std::size_t>(1, job.classes.size()),
          .x = x,
          .intercept = own_offset ? job.sum->offset : intercept,
          .normalize_rows = arguments.normalize == "rows",
          .column_scale = job.data.column_scale,
          .center = job.data.center,
          .labels = job.label_names,
          .classes = job.classes,
          .label_names = job.data.label_names,
          .feature_names = job.data.feature_names,
          .label_column = job.data.label_column,
          .label_column_name = job.data.label_column_name,
          .picture = job.data.picture,
          .model = arguments.model,
          .features = is_linear(job.model) ? 0 : job.data.dimension(),
          .ratings = of_ratings ? job.data.ratings : std::nullopt,
          .version = std::string(kVersion)};
}

Job make_job(const TrainArguments& arguments) {
  Job job;
  job.options = options_of(arguments);
  if (arguments.delays)
    job.options.delays = make_delay(parse_spec(*arguments.delays), job.files.reader());
  choose_start(arguments, job);
  job.model = make_model_kind(parse_spec(arguments.model));
  // A slip is found before the data is read.
  const Spec regularizer = parse_spec(arguments.regularizer);
  if (!has_share(regularizer) && !groups_are_units(job.model, regularizer))
    make_regularizer(regularizer, SpecFiles().reader());
  if (arguments.loss) job.loss = make_loss(parse_spec(*arguments.loss));
  require_one_of("--normalize", arguments.normalize, {"none", "rows"});
  require_one_of("--standardize", arguments.standardize, {"none", "columns"});
  require_one_of("--class-weight", arguments.class_weight, {"none", "balanced"});

  DataArguments data = arguments.data;
  data.ratings = data.ratings || takes_ratings(job.model);
  job.data = load(data);
  check_room_for_model(job.data);
  job.data_fingerprint = fingerprint(job.data);
  job.loss_spec = arguments.loss ? *arguments.loss : default_loss(arguments, job.data);
  job.loss = make_loss(parse_spec(job.loss_spec));
  if (arguments.picture && !job.data.picture)
    throw ContractError(fmt::format("--picture: {} is not data of pictures", job.data.name));
  if (arguments.weights) job.files.weigh(job.data, *arguments.weights);
  if (arguments.holdout) hold_out(arguments, job);
  choose_labels(arguments, job);
  treat_data(arguments, job);
  choose_sum(arguments, job);
  choose_regularizer(arguments, job);
  if (job.start) continue_from_model(arguments, job);
  if (arguments.test) load_test(arguments, job);
  if (job.test) check_test(arguments, job);
  return job;
}

}  // namespace asynprox::cli
