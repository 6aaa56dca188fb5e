#include "asynprox/models/targets.h"

#include <fmt/format.h>

#include <algorithm>

#include "asynprox/base/errors.h"
#include "asynprox/base/spec.h"
#include "asynprox/data/readers/number_token.h"
#include "asynprox/losses/all.h"
#include "asynprox/models/predictions.h"

namespace asynprox {
namespace {

constexpr std::size_t kLabelsNamed = 5;

bool is_text(const Dataset& data) { return !data.label_names.empty(); }

std::string label_text(const Dataset& data, double label) {
  return is_text(data) ? data.label_names.at(static_cast<std::size_t>(label))
                       : fmt::format("{}", label);
}

// Its value, where its spelling is a number.
std::optional<double> number_of(const Dataset& data, double label) {
  if (!is_text(data)) return label;
  const NumberToken number = number_token(label_text(data, label));
  return number.kind == NumberToken::Kind::finite ? std::optional(number.value) : std::nullopt;
}

// As messages show it.
std::string shown(bool text, const std::string& label) {
  return text ? quoted_token(label) : label;
}

}  // namespace

Targets::Targets(const FittedModel& model)
    : model_(model), kind_(make_loss(parse_spec(model.loss)).labels()) {
  if (kind_ == Labels::signs) known_ = {model.labels->negative, model.labels->positive};
  if (kind_ == Labels::classes) known_ = model.classes;
  for (std::size_t place = 0; place < known_.size(); ++place) {
    by_number_.emplace(known_[place], place);
    by_text_.emplace(label_text(model, known_[place]), place);
  }
}

std::optional<std::size_t> Targets::place_of(const Dataset& data, double label) const {
  const auto in = [](const auto& places, const auto& key) -> std::optional<std::size_t> {
    const auto found = places.find(key);
    return found == places.end() ? std::nullopt : std::optional(found->second);
  };
  if (!model_.label_names.empty()) return in(by_text_, label_text(data, label));
  const std::optional<double> number = number_of(data, label);
  return number ? in(by_number_, *number) : std::nullopt;
}

Vector Targets::numbers_of(const Dataset& data, std::size_t samples_before) const {
  if (!is_text(data)) return data.labels;
  Vector y;
  y.reserve(data.labels.size());
  for (const double label : data.labels) {
    const std::optional<double> number = number_of(data, label);
    if (!number) fail(data, samples_before + y.size() + 1, label);
    y.push_back(*number);
  }
  return y;
}

std::string Targets::expected() const {
  const bool text = !model_.label_names.empty();
  std::vector<std::string> labels;
  for (const double label :
       Vector(known_.begin(),
              known_.begin() + static_cast<std::ptrdiff_t>(std::min(known_.size(), kLabelsNamed))))
    labels.push_back(shown(text, label_text(model_, label)));
  if (kind_ == Labels::signs)
    return fmt::format("label {} (the model's)", fmt::join(labels, " or "));
  return fmt::format("one of the model's {} labels, {}{}", known_.size(), fmt::join(labels, ", "),
                     known_.size() > kLabelsNamed ? ", ..." : "");
}

void Targets::fail(const Dataset& data, std::size_t sample, double label) const {
  throw DataError(fmt::format("{}: sample {}: expected {}, got {}", data.name, sample,
                              kind_ == Labels::number ? "a number for a label" : expected(),
                              shown(is_text(data), label_text(data, label))));
}

Vector Targets::of(const Dataset& data, std::size_t samples_before) const {
  const std::size_t n = data.num_samples();
  if (kind_ == Labels::none) return Vector(n);
  require(data.labels.size() == n, data.name + ": expected one label a sample");
  if (kind_ == Labels::number) return numbers_of(data, samples_before);

  const bool rest_is_negative = kind_ == Labels::signs && model_.labels->one_against_rest;
  std::map<double, double> seen;  // text is looked up once for each label
  Vector y;
  y.reserve(n);
  for (const double label : data.labels) {
    const auto [entry, is_new] = seen.try_emplace(label);
    if (is_new) {
      const std::optional<std::size_t> place = place_of(data, label);
      if (!place && !rest_is_negative) fail(data, samples_before + y.size() + 1, label);
      entry->second = static_cast<double>(place.value_or(0));
      if (kind_ == Labels::signs) entry->second = entry->second > 0 ? 1 : -1;
    }
    y.push_back(entry->second);
  }
  return y;
}

}  // namespace asynprox
