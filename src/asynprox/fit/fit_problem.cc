#include "asynprox/fit/fit_problem.h"

#include <fmt/format.h>

#include <algorithm>

#include "asynprox/base/errors.h"
#include "asynprox/data/binary/mapped_file.h"
#include "asynprox/data/labels.h"
#include "asynprox/data/magnitudes.h"
#include "asynprox/data/split.h"
#include "asynprox/data/weights.h"
#include "asynprox/models/continuation.h"
#include "asynprox/regularizers/share.h"
#include "asynprox/run/option_list.h"
#include "asynprox/version.h"

namespace asynprox {
namespace {

// Two labels: logistic. Else squared, with a word on what that means for classes.
std::string default_loss(const ProblemSpec& spec, const Dataset& data,
                         std::vector<std::string>& warnings) {
  const LabelSummary labels = label_summary(data.labels);
  if (spec.positive_label || labels.distinct.size() == 2) return "logistic";
  if (!data.label_names.empty()) return "multinomial";
  if (labels.all_whole && labels.distinct.size() >= 3 && !data.ratings)
    warnings.push_back(
        fmt::format("{} has {} whole labels: they are fitted as numbers, by squared loss; if they "
                    "are classes use --loss multinomial, or --positive-label for one against the "
                    "rest",
                    data.name, labels.distinct.size()));
  return "squared";
}

void choose_labels(const ProblemSpec& spec, FitProblem& built) {
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
void hold_out(double share, std::uint64_t seed, FitProblem& built) {
  Split parts = split(built.data, share, seed);
  built.data = std::move(parts.train);
  built.held_out = std::move(parts.test);
}

// How much the classes that are fitted count, and how rows and columns are scaled and centred: in
// this order.
void treat_data(const ProblemSpec& spec, FitProblem& built) {
  if (spec.class_weight == "balanced") {
    const Labels kind = built.loss.labels();
    require(kind == Labels::signs || kind == Labels::classes,
            fmt::format("--class-weight: {} does not tell classes apart", built.loss.name()));
    weigh_classes(built.data);
  }
  if (spec.normalize == "rows") normalize_rows(built.data);
  if (spec.standardize == "columns") standardize_columns(built.data);
  if (spec.center) center_columns(built.data);
  if (built.data.ratings) return;
  check_column_magnitudes(built.data);
  if (built.loss.labels() == Labels::number) check_label_magnitudes(built.data);
}

// What is minimised, of a model that is not linear.
void choose_sum(const ProblemSpec& spec, FitProblem& built) {
  if (is_linear(built.model)) return;
  const bool treated = spec.normalize != "none" || spec.standardize != "none" || spec.center;
  require(!treated || !takes_ratings(built.model),
          "--normalize, --standardize and --center are not for models of ratings");
  const bool classes = built.loss.labels() == Labels::classes;
  Vector labels = classes ? class_labels(built.data).numbers : built.data.labels;
  built.sum = make_sum(built.model, built.data, std::move(labels), built.loss,
                       classes ? built.classes.size() : 1, spec.intercept);
}

// Groups that are the units of a model need no file.
bool groups_are_units(const ModelKind& model, const Spec& regularizer) {
  const auto& settings = regularizer.settings;
  return has_units(model) &&
         std::ranges::find(settings, Spec::Setting{"groups", "units"}) != settings.end();
}

// The regulariser, now that the data is known: a strength that is a share of the largest useful
// one, as a number, and the units of a model.
void choose_regularizer(const EarlyChoices& early, const FitInputs& inputs, FitProblem& built) {
  const Spec fitting = regularizer_for(built.model, built.data.ratings, early.regularizer_spec);
  if (inputs.regularizer || (early.regularizer && fitting == early.regularizer_spec)) {
    built.regularizer = inputs.regularizer ? *inputs.regularizer : *early.regularizer;
    built.spec.regularizer = inputs.regularizer ? built.regularizer.spec() : fitting.text();
    return;
  }
  require(is_linear_in_x(built.model) || !has_share(fitting),
          "--regularizer: a share of the largest strength is for linear models and matrices");
  const bool units = groups_are_units(built.model, fitting);
  const ReadNumbers read = [&](const std::string& path) -> std::vector<double> {
    if (!units || path != "units") return inputs.read(path);
    const std::size_t outputs = std::max<std::size_t>(1, built.classes.size());
    return unit_groups(built.model, built.data.dimension(), outputs);
  };
  const Spec resolved = resolve_share(fitting, read, [&] {
    return gradient_at_zero(*linear_data(built.model, built.data), built.loss,
                            {.intercept = built.spec.intercept});
  });
  built.spec.regularizer = resolved.text();
  built.regularizer = make_regularizer(resolved, read);
}

}  // namespace

EarlyChoices make_early_choices(const ProblemSpec& spec, const FitInputs& inputs) {
  check_choices(spec);
  EarlyChoices early = {.model = make_model_kind(parse_spec(spec.model))};
  if (!inputs.regularizer) {
    early.regularizer_spec = parse_spec(spec.regularizer);
    if (!has_share(early.regularizer_spec) &&
        !groups_are_units(early.model, early.regularizer_spec))
      early.regularizer = make_regularizer(early.regularizer_spec, inputs.read);
  }
  if (spec.loss) early.loss = make_loss(parse_spec(*spec.loss));
  return early;
}

void check_room_for_model(const Dataset& data, std::size_t outputs) {
  // As measured: x, gradients, averages, copies that workers and searches hold; 79 to 160.
  constexpr std::uint64_t kBytes = 160;
  const std::uint64_t memory = memory_size();
  const std::uint64_t features_max = memory / kBytes / std::max<std::size_t>(1, outputs);
  if (data.dimension() <= features_max) return;
  throw DataError(fmt::format(
      "{}: expected at most {} features, for {} bytes per feature{} and {:.1f} GiB of memory, got "
      "{}: the largest column counts",
      data.name, features_max, kBytes,
      outputs > 1 ? fmt::format(" in each of {} classes", outputs) : "",
      static_cast<double>(memory) / static_cast<double>(std::uint64_t{1} << 30), data.dimension()));
}

FitProblem make_fit_problem(const ProblemSpec& spec, const EarlyChoices& early, Dataset data,
                            const FitInputs& inputs) {
  FitProblem built;
  built.spec = spec;
  built.model = early.model;
  built.data = std::move(data);
  if (!built.data.ratings) built.spec.data.dimension = built.data.dimension();
  if (!early.loss) built.spec.loss = default_loss(spec, built.data, built.warnings);
  built.loss = early.loss ? *early.loss : make_loss(parse_spec(*built.spec.loss));
  if (spec.holdout) hold_out(*spec.holdout, inputs.seed, built);
  choose_labels(spec, built);
  if (is_linear(built.model)) check_room_for_model(built.data, built.classes.size());
  treat_data(spec, built);
  choose_sum(spec, built);
  choose_regularizer(early, inputs, built);
  return built;
}

FitProblem make_fit_problem(const ProblemSpec& spec, Dataset data, const FitInputs& inputs) {
  return make_fit_problem(spec, make_early_choices(spec, inputs), std::move(data), inputs);
}

void begin_with_model(const FittedModel& saved, FitProblem& problem) {
  problem.x0 =
      continued(saved, {.model = model_of_zeros(problem), .intercept = problem.spec.intercept});
}

Result solve(const FitProblem& built, Options options) {
  options.intercept = built.spec.intercept;
  options.start = built.start;
  options.x0 = built.x0;
  if (built.sum) return solve(built.sum->f, built.regularizer, options);
  return solve(built.data, built.loss, built.regularizer, options);
}

Replayed replay(const FitProblem& built, const Plan& plan, const EventSource& next_event,
                const ReplayOptions& options) {
  ReplayOptions started = options;
  started.x0 = built.x0;
  if (built.sum) return replay(built.sum->f, built.regularizer, plan, next_event, started);
  return replay(built.data, built.loss, built.regularizer, plan, next_event, started);
}

Result resume(const FitProblem& built, const Plan& plan, const RunState& state,
              const ResumeOptions& options) {
  ResumeOptions started = options;
  started.x0 = built.x0;
  if (built.sum) return resume(built.sum->f, built.regularizer, plan, state, started);
  return resume(built.data, built.loss, built.regularizer, plan, state, started);
}

FittedModel fitted_model(const FitProblem& built, const Vector& x, const Vector& intercept) {
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

FittedModel model_of_zeros(const FitProblem& built) {
  const std::size_t outputs = std::max<std::size_t>(1, built.classes.size());
  return fitted_model(
      built,
      Vector(num_coefficients(built.model, {built.data.dimension(), outputs, built.data.ratings}),
             0),
      {});
}

}  // namespace asynprox
