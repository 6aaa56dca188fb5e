#include "asynprox/models/predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asynprox/base/errors.h"
#include "asynprox/base/spec.h"
#include "asynprox/losses/all.h"

namespace asynprox {
namespace {

double logistic_function(double u) {
  // exp() sees only non-positive arguments, so small probabilities keep their digits.
  const double e = std::exp(-std::abs(u));
  return u >= 0 ? 1 / (1 + e) : e / (1 + e);
}

// In place.
void softmax(std::span<double> u) {
  const double largest = *std::ranges::max_element(u);
  double sum = 0;
  for (double& u_c : u) sum += u_c = std::exp(u_c - largest);
  for (double& u_c : u) u_c /= sum;
}

void require_whole_samples(const FittedModel& model, std::span<const double> u) {
  require(model.outputs > 0 && u.size() % model.outputs == 0,
          fmt::format("expected {} scores a sample", model.outputs));
}

}  // namespace

bool has_probabilities(const FittedModel& model) {
  const AnyLoss loss = make_loss(parse_spec(model.loss));
  return loss.labels() == Labels::classes || loss.name() == LogisticLoss::name;
}

Vector probabilities(const FittedModel& model, std::span<const double> u) {
  const AnyLoss loss = make_loss(parse_spec(model.loss));
  require_whole_samples(model, u);
  Vector p(u.begin(), u.end());
  if (loss.labels() == Labels::classes)
    for (std::size_t start = 0; start < p.size(); start += model.outputs)
      softmax(std::span(p).subspan(start, model.outputs));
  else if (loss.name() == LogisticLoss::name)
    std::ranges::transform(u, p.begin(), logistic_function);
  else
    throw ContractError(
        fmt::format("probability: expected a model of the loss logistic or multinomial, got one "
                    "of {}",
                    loss.name()));
  return p;
}

std::vector<std::size_t> largest_places(std::span<const double> u, std::size_t outputs) {
  std::vector<std::size_t> places;
  places.reserve(u.size() / outputs);
  for (; !u.empty(); u = u.subspan(outputs)) {
    const auto sample = u.first(outputs);
    places.push_back(static_cast<std::size_t>(std::ranges::max_element(sample) - sample.begin()));
  }
  return places;
}

Vector predicted_labels(const FittedModel& model, std::span<const double> u) {
  const AnyLoss loss = make_loss(parse_spec(model.loss));
  require_whole_samples(model, u);
  Vector labels;
  if (loss.labels() == Labels::classes) {
    require(model.classes.size() == model.outputs, "classes: expected one per output");
    for (const std::size_t c : largest_places(u, model.outputs)) labels.push_back(model.classes[c]);
    return labels;
  }
  labels.assign(u.begin(), u.end());
  if (loss.name() == PoissonLoss::name)
    std::ranges::transform(u, labels.begin(), [](double u_i) { return std::exp(u_i); });
  if (loss.labels() != Labels::signs) return labels;
  require(model.labels.has_value(),
          fmt::format("labels: expected two for the loss {}, got none", loss.name()));
  for (double& label : labels) label = label > 0 ? model.labels->positive : model.labels->negative;
  return labels;
}

std::string label_text(const FittedModel& model, double label) {
  const bool named = label >= 0 && label < static_cast<double>(model.label_names.size());
  return named ? model.label_names[static_cast<std::size_t>(label)] : fmt::format("{}", label);
}

std::string prediction_text(const FittedModel& model, double label) {
  const bool any_other =
      model.labels && model.labels->one_against_rest && label != model.labels->positive;
  return any_other ? "not " + label_text(model, model.labels->positive) : label_text(model, label);
}

}  // namespace asynprox
