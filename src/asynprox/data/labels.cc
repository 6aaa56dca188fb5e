#include "asynprox/data/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "asynprox/base/errors.h"
#include "asynprox/base/suggest.h"
#include "asynprox/data/readers/number_token.h"

namespace asynprox {
namespace {

constexpr std::size_t kLabelsNamed = 5;

using LabelNames = std::span<const std::string>;

// The first labels seen, for messages: "1, 2, 3, 4, 5, ..."
std::string named(const Vector& labels, LabelNames names) {
  Vector seen;
  for (const double label : labels) {
    if (std::ranges::find(seen, label) != seen.end()) continue;
    seen.push_back(label);
    if (seen.size() > kLabelsNamed) break;
  }
  const bool more = seen.size() > kLabelsNamed;
  if (more) seen.pop_back();
  std::ranges::sort(seen);
  std::string text;
  for (const double label : seen) text += (text.empty() ? "" : ", ") + label_text(names, label);
  return text + (more ? ", ..." : "");
}

// What is wrong with the data is said with its name.
auto naming(const Dataset& data, auto&& work) {
  try {
    return work();
  } catch (const ContractError& error) {
    throw ContractError(data.name + ": " + error.what());
  }
}

// The two labels, or one of the rest, and which is positive.
SignLabels meaning(const Vector& labels, std::optional<double> positive_label, LabelNames names) {
  const LabelSummary summary = label_summary(labels, /*limit=*/2);
  const bool two = summary.distinct.size() == 2;
  if (!two && !summary.more_than_limit)
    throw ContractError(fmt::format("labels: expected two, got one: {}", named(labels, names)));
  if (!positive_label && !two)
    throw ContractError(fmt::format(
        "labels: expected two, got more: {}; --positive-label LABEL sets one against the rest",
        named(labels, names)));
  const double positive = positive_label.value_or(summary.largest);
  if (std::ranges::find(labels, positive) == labels.end())
    throw ContractError(fmt::format("--positive-label {}: expected one of the labels: {}",
                                    label_text(names, positive), named(labels, names)));
  const double negative = positive == summary.smallest ? summary.largest : summary.smallest;
  return {{}, negative, positive, /*one_against_rest=*/!two};
}

}  // namespace

LabelSummary label_summary(const Vector& labels, std::size_t limit) {
  LabelSummary summary;
  if (labels.empty()) return summary;
  // The usual case, quickly: there are two.
  const auto other = std::ranges::find_if(labels, [&](double y) { return y != labels.front(); });
  if (limit >= 2 && other != labels.end()) {
    LabelCount smallest{labels.front(), 0}, largest{*other, 0};
    if (largest.label < smallest.label) std::swap(smallest, largest);
    smallest.count = std::ranges::count(labels, smallest.label);
    largest.count = std::ranges::count(labels, largest.label);
    if (smallest.count + largest.count == labels.size()) {
      summary.smallest = smallest.label;
      summary.largest = largest.label;
      summary.all_whole = smallest.label == std::trunc(smallest.label) &&
                          largest.label == std::trunc(largest.label);
      summary.distinct = {smallest, largest};
      return summary;
    }
  }
  const auto [smallest, largest] = std::ranges::minmax(labels);
  summary.smallest = smallest;
  summary.largest = largest;
  for (const double label : labels) {
    const auto known = summary.more_than_limit
                           ? summary.distinct.end()
                           : std::ranges::find(summary.distinct, label, &LabelCount::label);
    if (known != summary.distinct.end()) {
      ++known->count;
      continue;
    }
    summary.all_whole = summary.all_whole && label == std::trunc(label);
    if (summary.more_than_limit) continue;
    summary.distinct.push_back({label, 1});
    summary.more_than_limit = summary.distinct.size() > limit;
  }
  if (summary.more_than_limit) summary.distinct.clear();
  std::ranges::sort(summary.distinct, {}, &LabelCount::label);
  return summary;
}

SignLabels sign_labels(const Vector& labels, std::optional<double> positive_label,
                       std::span<const std::string> label_names) {
  require(!labels.empty(), "labels: expected two, got none");
  SignLabels result = meaning(labels, positive_label, label_names);
  result.signs.resize(labels.size());
  std::ranges::transform(labels, result.signs.begin(),
                         [&](double label) { return label == result.positive ? 1.0 : -1.0; });
  return result;
}

ClassLabels class_labels(const Vector& labels, std::span<const std::string> label_names) {
  ClassLabels result = {.numbers = {}, .classes = labels};
  std::ranges::sort(result.classes);
  const auto repeated = std::ranges::unique(result.classes);
  result.classes.erase(repeated.begin(), repeated.end());
  require(result.classes.size() >= 2,
          result.classes.empty() ? std::string("labels: expected two or more, got none")
                                 : fmt::format("labels: expected two or more, got one: {}",
                                               label_text(label_names, result.classes.front())));
  result.numbers.reserve(labels.size());
  for (const double label : labels)
    result.numbers.push_back(static_cast<double>(std::ranges::lower_bound(result.classes, label) -
                                                 result.classes.begin()));
  return result;
}

SignLabels sign_labels(const Dataset& data, std::optional<double> positive_label) {
  return naming(data, [&] { return sign_labels(data.labels, positive_label, data.label_names); });
}

ClassLabels class_labels(const Dataset& data) {
  return naming(data, [&] { return class_labels(data.labels, data.label_names); });
}

std::string label_text(std::span<const std::string> label_names, double label) {
  const bool has_name =
      label >= 0 && label < static_cast<double>(label_names.size()) && label == std::trunc(label);
  return has_name ? label_names[static_cast<std::size_t>(label)] : fmt::format("{}", label);
}

double label_number(const Dataset& data, std::string_view text) {
  if (!data.label_names.empty()) {
    const auto named_so = std::ranges::find(data.label_names, text);
    if (named_so != data.label_names.end())
      return static_cast<double>(named_so - data.label_names.begin());
    throw ContractError(fmt::format("--positive-label: no '{}'{}; the labels are: {}", text,
                                    did_you_mean(text, data.label_names),
                                    named(data.labels, data.label_names)));
  }
  const NumberToken number = number_token(text);
  if (number.kind == NumberToken::Kind::finite) return number.value;
  throw ContractError(
      fmt::format("--positive-label: expected a number, got '{}'; the labels are: {}", text,
                  named(data.labels, {})));
}

}  // namespace asynprox
