#include "cli/problem.h"

#include <fmt/format.h>

#include <filesystem>

#include "asynprox/base/errors.h"
#include "asynprox/data/fingerprint.h"
#include "asynprox/data/labels.h"
#include "asynprox/data/split.h"
#include "asynprox/data/weights.h"
#include "asynprox/models/continuation.h"
#include "asynprox/regularizers/share.h"
#include "asynprox/version.h"

#include "cli/lookup.h"
#include "cli/terminal.h"

namespace asynprox::cli {
namespace {

namespace fs = std::filesystem;

// What cannot be looked up is a file that cannot be read.
fs::file_status look_up_start(const std::string& path) {
  try {
    return look_up("--start", path);
  } catch (const Error& error) {
    throw DataError(error.what());
  }
}

void choose_start(const ProblemSpec& spec, BuiltProblem& built) {
  if (!spec.start || *spec.start == name(Start::automatic)) return;
  for (const Start start : {Start::zeros, Start::uniform, Start::random})
    if (*spec.start == name(start)) built.start = start;
  if (built.start != Start::automatic) return;
  if (!fs::exists(look_up_start(*spec.start)))
    require_one_of("--start", *spec.start, {"zeros", "uniform", "random", "a file"});
  if (is_model_file(*spec.start))
    built.start_model = built.files.model(*spec.start);
  else
    built.x0 = built.files.reader()(*spec.start);
}

// Two labels: logistic. Else squared, with a word on what that means for classes.
std::string default_loss(const ProblemSpec& spec, const Dataset& data) {
  const LabelSummary labels = label_summary(data.labels);
  if (spec.positive_label || labels.distinct.size() == 2) return "logistic";
  if (!data.label_names.empty()) return "multinomial";
  if (labels.all_whole && labels.distinct.size() >= 3 && !data.ratings)
    say_warning(
        fmt::format("{} has {} whole labels: they are fitted as numbers, by squared loss; if they "
                    "are classes use --loss multinomial, or --positive-label for one against the "
                    "rest",
                    data.name, labels.distinct.size()));
  return "squared";
}

void choose_labels(const ProblemSpec& spec, BuiltProblem& built) {
  const Labels kind = built.loss.labels();
  if (kind == Labels::classes) built.classes = class_labels(built.data).classes;
  if (kind == Labels::number && !built.data.label_names.empty())
    throw ContractError(fmt::format("{}: labels: {} takes numbers, got text, for example '{}'",
                                    built.data.name, built.loss.name(),
                                    built.data.label_names.front()));
  if (kind != Labels::signs) {
    require(!spec.positive_label,
            fmt::format("--positive-label: {} does not set one label against others",
                        built.loss.name()));
    return;
  }
  std::optional<double> positive;
  if (spec.positive_label) positive = label_number(built.data, *spec.positive_label);
  SignLabels signs = sign_labels(built.data, positive);
  built.label_names = {signs.negative, signs.positive, signs.one_against_rest};
  built.spec.positive_label = label_text(built.data.label_names, signs.positive);
  built.data.labels = std::move(signs.signs);
}

// The samples that are not fitted but evaluated.
void hold_out(double share, std::uint64_t seed, BuiltProblem& built) {
  Split parts = split(built.data, share, seed);
  built.data = std::move(parts.train);
  built.held_out = std::move(parts.test);
}

// How much the classes that are fitted count, and how rows and columns are scaled and centred: in
// this order.
void treat_data(const ProblemSpec& spec, BuiltProblem& built) {
  if (spec.class_weight == "balanced") {
    const Labels kind = built.loss.labels();
    require(kind == Labels::signs || kind == Labels::classes,
            fmt::format("--class-weight: {} does not tell classes apart", built.loss.name()));
    weigh_classes(built.data);
  }
  if (spec.normalize == "rows") normalize_rows(built.data);
  if (spec.standardize == "columns") standardize_columns(built.data);
  if (spec.center) center_columns(built.data);
}

// What is minimised, of a model that is not linear.
void choose_sum(const ProblemSpec& spec, BuiltProblem& built) {
  if (is_linear(built.model)) return;
  const bool treated = spec.normalize != "none" || spec.standardize != "none" || spec.center;
  require(!treated || !takes_ratings(built.model),
          "--normalize, --standardize and --center are not for models of ratings");
  const bool classes = built.loss.labels() == Labels::classes;
  Vector labels = classes ? class_labels(built.data).numbers : built.data.labels;
  built.sum = make_sum(built.model, built.data, std::move(labels), built.loss,
                       classes ? built.classes.size() : 1, spec.intercept);
}

// The saved model that the run begins with, as this run's data is treated.
void continue_from_model(const ProblemSpec& spec, BuiltProblem& built) {
  try {
    built.x0 = continued(*built.start_model,
                         {.model = model_of_zeros(built), .intercept = spec.intercept});
  } catch (const ContractError& error) {
    throw ContractError(fmt::format("--start: {}: {}", *spec.start, error.what()));
  }
}

// Groups that are the units of a model need no file.
bool groups_are_units(const ModelKind& model, const Spec& regularizer) {
  const auto& settings = regularizer.settings;
  return has_units(model) &&
         std::ranges::find(settings, Spec::Setting{"groups", "units"}) != settings.end();
}

// The regulariser, now that the data is known: a strength that is a share of the largest useful
// one, as a number, and the units of a model.
void choose_regularizer(const ProblemSpec& spec, BuiltProblem& built) {
  const Spec typed = regularizer_for(built.model, built.data.ratings, parse_spec(spec.regularizer));
  require(is_linear_in_x(built.model) || !has_share(typed),
          "--regularizer: a share of the largest strength is for linear models and matrices");
  const bool units = groups_are_units(built.model, typed);
  const ReadNumbers files = built.files.reader();
  const ReadNumbers read = [&](const std::string& path) -> std::vector<double> {
    if (!units || path != "units") return files(path);
    const std::size_t outputs = std::max<std::size_t>(1, built.classes.size());
    return unit_groups(built.model, built.data.dimension(), outputs);
  };
  const Spec resolved = resolve_share(typed, read, [&] {
    return gradient_at_zero(*linear_data(built.model, built.data), built.loss,
                            {.intercept = spec.intercept});
  });
  built.spec.regularizer = resolved.text();
  built.regularizer = make_regularizer(resolved, read);
}

// A slip is found before the data is read.
void check_spec(const ProblemSpec& spec, const ModelKind& model) {
  const Spec regularizer = parse_spec(spec.regularizer);
  if (!has_share(regularizer) && !groups_are_units(model, regularizer))
    make_regularizer(regularizer, SpecFiles().reader());
  if (spec.loss) make_loss(parse_spec(*spec.loss));
  require_one_of("--normalize", spec.normalize, {"none", "rows"});
  require_one_of("--standardize", spec.standardize, {"none", "columns"});
  require_one_of("--class-weight", spec.class_weight, {"none", "balanced"});
}

void load_data(const ProblemSpec& spec, BuiltProblem& built) {
  DataSpec data = spec.data;
  data.ratings = data.ratings || takes_ratings(built.model);
  built.data = load(data);
  check_room_for_model(built.data, /*outputs=*/1);
  built.data_fingerprint = fingerprint(built.data);
  if (!built.data.ratings) built.spec.data.dimension = built.data.dimension();
}

}  // namespace

BuiltProblem build_problem(const ProblemSpec& spec, std::uint64_t seed) {
  BuiltProblem built;
  built.spec = spec;
  choose_start(spec, built);
  built.model = make_model_kind(parse_spec(spec.model));
  check_spec(spec, built.model);
  load_data(spec, built);
  if (!spec.loss) built.spec.loss = default_loss(spec, built.data);
  built.loss = make_loss(parse_spec(*built.spec.loss));
  if (spec.weights) built.files.weigh(built.data, *spec.weights);
  if (spec.holdout) hold_out(*spec.holdout, seed, built);
  choose_labels(spec, built);
  if (is_linear(built.model)) check_room_for_model(built.data, built.classes.size());
  treat_data(spec, built);
  choose_sum(spec, built);
  choose_regularizer(spec, built);
  if (built.start_model) continue_from_model(spec, built);
  return built;
}

Result solve(const BuiltProblem& built, Options options) {
  options.intercept = built.spec.intercept;
  options.start = built.start;
  options.x0 = built.x0;
  if (built.sum) return solve(built.sum->f, built.regularizer, options);
  return solve(built.data, built.loss, built.regularizer, options);
}

Replayed replay(const BuiltProblem& built, const Plan& plan, const EventSource& next_event,
                const std::function<void(const Evaluation&)>& on_evaluation) {
  const ReplayOptions options = {.x0 = built.x0, .on_evaluation = on_evaluation};
  if (built.sum) return replay(built.sum->f, built.regularizer, plan, next_event, options);
  return replay(built.data, built.loss, built.regularizer, plan, next_event, options);
}

FittedModel fitted_model(const BuiltProblem& built, const Vector& x, const Vector& intercept) {
  const ProblemSpec& spec = built.spec;
  const bool own_offset = built.sum && !built.sum->offset.empty();
  const bool of_ratings = spec.data.ratings || takes_ratings(built.model);
  return {.loss = *spec.loss,
          .regularizer = spec.regularizer,
          .outputs = std::max<std::size_t>(1, built.classes.size()),
          .x = x,
          .intercept = own_offset ? built.sum->offset : intercept,
          .normalize_rows = spec.normalize == "rows",
          .column_scale = built.data.column_scale,
          .center = built.data.center,
          .labels = built.label_names,
          .classes = built.classes,
          .label_names = built.data.label_names,
          .feature_names = built.data.feature_names,
          .label_column = built.data.label_column,
          .label_column_name = built.data.label_column_name,
          .picture = built.data.picture,
          .model = spec.model,
          .features = is_linear(built.model) ? 0 : built.data.dimension(),
          .ratings = of_ratings ? built.data.ratings : std::nullopt,
          .version = std::string(kVersion)};
}

FittedModel model_of_zeros(const BuiltProblem& built) {
  const std::size_t outputs = std::max<std::size_t>(1, built.classes.size());
  return fitted_model(
      built,
      Vector(num_coefficients(built.model, {built.data.dimension(), outputs, built.data.ratings}),
             0),
      {});
}

}  // namespace asynprox::cli
