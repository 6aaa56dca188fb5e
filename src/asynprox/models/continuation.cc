#include "asynprox/models/continuation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "asynprox/base/errors.h"
#include "asynprox/base/spec.h"
#include "asynprox/data/readers/match_columns.h"
#include "asynprox/models/kinds.h"
#include "asynprox/models/predictions.h"

namespace asynprox {
namespace {

[[noreturn]] void fail(const std::string& expected, const std::string& got) {
  throw ContractError(fmt::format("expected {}, got {}", expected, got));
}

// All that makes a kind of model what it is; defaults need not be written.
std::string kind_text(const FittedModel& model) {
  return full_spec(make_model_kind(parse_spec(model.model)));
}

// The labels as they are spelt, the negative one first or in the order of the outputs; empty where
// the loss takes numbers, or none.
std::vector<std::string> labels_of(const FittedModel& model) {
  if (model.labels)
    return {prediction_text(model, model.labels->negative),
            prediction_text(model, model.labels->positive)};
  std::vector<std::string> labels;
  for (const double label : model.classes) labels.push_back(label_text(model, label));
  return labels;
}

std::string labels_shown(const std::vector<std::string>& labels) {
  return labels.empty() ? "no classes" : "the labels " + names_shown(labels);
}

void require_same_shape(const FittedModel& saved, const FittedModel& next) {
  if (kind_text(saved) != kind_text(next)) fail("a model " + kind_text(next), kind_text(saved));
  if (saved.outputs != next.outputs || labels_of(saved) != labels_of(next))
    fail("a model of " + labels_shown(labels_of(next)), labels_shown(labels_of(saved)));
  if (saved.dimension() != next.dimension())
    fail(fmt::format("a model of {} features", next.dimension()),
         fmt::format("{}", saved.dimension()));
  if (saved.normalize_rows != next.normalize_rows)
    fail(next.normalize_rows ? "a model of normalised rows" : "a model of rows as they are",
         saved.normalize_rows ? "one that was fitted with --normalize rows"
                              : "one that was fitted without --normalize rows");
}

// For each feature of the next run, which one of the saved model it is.
std::vector<std::size_t> places_of_features(const FittedModel& saved, const FittedModel& next) {
  std::vector<std::size_t> from(next.dimension());
  std::iota(from.begin(), from.end(), std::size_t{0});
  if (saved.feature_names.empty() || next.feature_names.empty()) return from;
  const ColumnMatch match = match_columns(saved.feature_names, next.feature_names);
  if (!match.ignored.empty())
    fail("a model of the data's features", "none of " + names_shown(match.ignored));
  for (std::size_t j = 0; j < from.size(); ++j) from[j] = match.places[j];
  return from;
}

double at(const Vector& numbers, std::size_t j, double otherwise) {
  return numbers.empty() ? otherwise : numbers[j];
}

Vector with_intercepts(Vector x, const Vector& intercepts, bool wanted) {
  if (wanted)
    x.insert(x.end(), intercepts.begin(), intercepts.end());
  else if (std::ranges::any_of(intercepts, [](double b) { return b != 0; }))
    fail("a model without a constant part, because this run fits no intercept (--intercept)",
         "one with an intercept, or of centred columns");
  const auto bad = std::ranges::find_if(x, [](double x_j) { return !std::isfinite(x_j); });
  if (bad != x.end())
    fail("coefficients that are finite in the scale of this run's columns",
         fmt::format("{}", *bad));
  return x;
}

// D' x' = D x, and b' - mu''x' = b - mu'x.
Vector continued_linear(const FittedModel& saved, const NextRun& run) {
  const FittedModel& next = run.model;
  const std::size_t outputs = saved.outputs;
  const std::vector<std::size_t> from = places_of_features(saved, next);
  Vector x(saved.x.size()), intercepts = saved.intercept;
  intercepts.resize(outputs);
  for (std::size_t j = 0; j < from.size(); ++j) {
    const double scale = at(saved.column_scale, from[j], 1),
                 scale_next = at(next.column_scale, j, 1);
    const double mean = at(saved.center, from[j], 0), mean_next = at(next.center, j, 0);
    for (std::size_t c = 0; c < outputs; ++c) {
      const double x_jc = saved.x[from[j] * outputs + c];
      const double x_next = scale == scale_next ? x_jc : scale * x_jc / scale_next;
      x[j * outputs + c] = x_next;
      intercepts[c] += mean_next * x_next - mean * x_jc;
    }
  }
  return with_intercepts(std::move(x), intercepts, run.intercept);
}

std::string ratings_shown(const std::optional<RatingsShape>& ratings) {
  if (!ratings) return "no ratings";
  return fmt::format("{} users and {} items", ratings->num_users, ratings->num_items);
}

Vector continued_as_it_is(const FittedModel& saved, const NextRun& run) {
  const FittedModel& next = run.model;
  if (saved.ratings != next.ratings)
    fail("a model of " + ratings_shown(next.ratings), ratings_shown(saved.ratings));
  const bool named = !saved.feature_names.empty() && !next.feature_names.empty();
  if (named && saved.feature_names != next.feature_names)
    fail(fmt::format("a model {} of the same features in the same order", next.model),
         "other names");
  if (saved.column_scale != next.column_scale || saved.center != next.center)
    fail(fmt::format("a model {} of data that is standardised and centred by the same numbers",
                     next.model),
         "others");
  // The constant of factors, which is not fitted, comes from the ratings.
  const bool factors = kind_text(next).starts_with("factors");
  if (factors && saved.intercept != next.intercept)
    fail(fmt::format("factors of ratings whose constant b0 is {}", at(next.intercept, 0, 0)),
         fmt::format("{}", at(saved.intercept, 0, 0)));
  if (factors) return saved.x;
  Vector intercepts = saved.intercept;
  intercepts.resize(saved.outputs);
  return with_intercepts(saved.x, intercepts, run.intercept);
}

}  // namespace

Vector continued(const FittedModel& saved, const NextRun& next) {
  require_same_shape(saved, next.model);
  return saved.linear() ? continued_linear(saved, next) : continued_as_it_is(saved, next);
}

}  // namespace asynprox
