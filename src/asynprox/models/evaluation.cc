#include "asynprox/models/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asynprox/base/errors.h"
#include "asynprox/base/spec.h"
#include "asynprox/losses/all.h"
#include "asynprox/models/predictions.h"

namespace asynprox {
namespace {

std::optional<double> if_finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

AnyLoss checked_loss(const FittedModel& model) {
  check_model(model);
  return make_loss(parse_spec(model.loss));
}

std::size_t num_classes(const Targets& targets, const FittedModel& model) {
  if (targets.kind() == Labels::signs) return 2;
  return targets.kind() == Labels::classes ? model.outputs : 0;
}

void require_weights(const Dataset& data, std::span<const double> weights) {
  if (weights.empty()) return;
  require(weights.size() == data.num_samples(), data.name + ": expected one weight a sample");
  require(std::ranges::all_of(weights, [](double w) { return std::isfinite(w) && w >= 0; }),
          data.name + ": expected weights of at least 0");
}

double weight_of(std::span<const double> weights, std::size_t i) {
  return weights.empty() ? 1 : weights[i];
}

}  // namespace

ClassSums::ClassSums(std::size_t num_classes)
    : num_classes_(num_classes),
      totals_(num_classes),
      correct_(num_classes),
      table_(num_classes <= kConfusionLabelsMax ? num_classes * num_classes : 0) {}

void ClassSums::add(std::size_t label, std::size_t predicted, double weight) {
  totals_[label] += weight;
  if (label == predicted) correct_[label] += weight;
  if (!table_.empty()) table_[label * num_classes_ + predicted] += weight;
}

double ClassSums::accuracy() const {
  double correct = 0, total = 0;
  for (std::size_t c = 0; c < num_classes_; ++c) {
    correct += correct_[c];
    total += totals_[c];
  }
  return correct / total;
}

double ClassSums::balanced_accuracy() const {
  double sum = 0, occur = 0;
  for (std::size_t c = 0; c < num_classes_; ++c) {
    if (totals_[c] == 0) continue;
    sum += correct_[c] / totals_[c];
    ++occur;
  }
  return sum / occur;
}

std::vector<Vector> ClassSums::rows() const {
  std::vector<Vector> rows;
  for (auto rest = std::span(table_); !rest.empty(); rest = rest.subspan(num_classes_)) {
    const auto row = rest.first(num_classes_);
    rows.emplace_back(row.begin(), row.end());
  }
  return rows;
}

void NumberSums::add(double prediction, double y, double weight) {
  if (weight == 0) return;
  const double r = prediction - y;
  total_ += weight;
  squares_ += weight * r * r;
  magnitudes_ += weight * std::abs(r);
  const double from_mean = y - mean_;
  mean_ += weight / total_ * from_mean;
  variation_ += weight * from_mean * (y - mean_);
  constant_ = constant_ && y == first_.value_or(y);
  first_ = first_.value_or(y);
  any_negative_ = any_negative_ || y < 0;
  // y log(y / p) is 0 for y = 0.
  deviance_ += 2 * weight * ((y > 0 ? y * std::log(y / prediction) : 0) + r);
}

NumberMetrics NumberSums::metrics() const {
  return {.rmse = std::sqrt(squares_ / total_),
          .mae = magnitudes_ / total_,
          .r2 = constant_ ? std::nullopt : if_finite(1 - squares_ / variation_),
          .poisson_deviance = any_negative_ ? std::nullopt : if_finite(deviance_ / total_)};
}

Evaluator::Evaluator(const FittedModel& model)
    : model_(model),
      loss_(checked_loss(model)),
      targets_(model),
      scorer_(model),
      features_(model),
      poisson_(loss_.name() == PoissonLoss::name),
      pca_(loss_.name() == PcaLoss::name),
      classes_(num_classes(targets_, model)) {}

void Evaluator::add_classes(std::span<const double> u, std::span<const double> y,
                            std::span<const double> weights) {
  const bool signs = targets_.kind() == Labels::signs;
  const std::vector<std::size_t> largest =
      signs ? std::vector<std::size_t>() : largest_places(u, model_.outputs);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const bool positive = y[i] > 0;
    const double weight = weight_of(weights, i);
    const std::size_t label = signs ? (positive ? 1 : 0) : static_cast<std::size_t>(y[i]);
    classes_.add(label, signs ? (u[i] > 0 ? 1 : 0) : largest[i], weight);
    positives_ += signs && positive ? 1 : 0;
    if (signs || model_.outputs == 2)
      ranked_.push_back({signs ? u[i] : u[2 * i + 1] - u[2 * i], positive ? weight : -weight});
  }
}

void Evaluator::add(const Dataset& samples, std::span<const double> weights) {
  name_ = samples.name;
  require_weights(samples, weights);
  const std::optional<Dataset> moved = features_.moved(samples);
  const Dataset& block = moved ? *moved : samples;
  const Vector y = targets_.of(block, samples_);
  const Scores scores = scorer_.scores(block, samples_);
  Vector values(y.size());
  loss_.values(scores.u, y, values);
  const Vector lengths = pca_ ? squared_lengths(model_, block, samples_) : Vector(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double weight = weight_of(weights, i);
    weight_ += weight;
    losses_ += weight * values[i];
    lengths_ += weight * lengths[i];
  }
  if (targets_.kind() == Labels::signs || targets_.kind() == Labels::classes)
    add_classes(scores.u, y, weights);
  if (targets_.kind() == Labels::number) {
    const Vector predictions = predicted_labels(model_, scores.u);
    for (std::size_t i = 0; i < y.size(); ++i)
      numbers_.add(predictions[i], y[i], weight_of(weights, i));
  }
  ignored_.insert(scores.ignored.begin(), scores.ignored.end());
  samples_ += y.size();
}

ClassMetrics Evaluator::class_metrics() {
  ClassMetrics result{.accuracy = classes_.accuracy(),
                      .balanced_accuracy = classes_.balanced_accuracy()};
  if (has_probabilities(model_)) result.log_loss = losses_ / weight_;
  result.auc = area_under_curve(ranked_);
  result.confusion.rows = classes_.rows();
  if (result.confusion.rows.empty()) return result;
  const auto add_label = [&](const std::string& label) {
    result.confusion.labels.push_back(label);
  };
  if (model_.labels) {
    add_label(prediction_text(model_, model_.labels->negative));
    add_label(prediction_text(model_, model_.labels->positive));
  }
  for (const double label : model_.classes) add_label(label_text(model_, label));
  return result;
}

Metrics Evaluator::metrics() {
  if (samples_ == 0) throw DataError(name_ + ": expected samples, got none");
  require(weight_ > 0, name_ + ": expected weights that are not all 0");
  Metrics metrics{.samples = samples_,
                  .outputs = model_.outputs,
                  .columns_ignored = ignored_.size(),
                  .columns = features_.notes(),
                  .loss = losses_ / weight_};
  switch (targets_.kind()) {
    case Labels::none: break;
    case Labels::signs:
      metrics.signs = {.positives = positives_, .negatives = samples_ - positives_};
      [[fallthrough]];
    case Labels::classes: metrics.classes = class_metrics(); break;
    case Labels::number:
      metrics.numbers = numbers_.metrics();
      metrics.numbers->counts = poisson_;
      if (!poisson_) metrics.numbers->poisson_deviance.reset();
      break;
  }
  if (pca_) metrics.explained_variance = if_finite(2 * -losses_ / lengths_);
  return metrics;
}

}  // namespace asynprox
