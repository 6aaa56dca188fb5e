// Labels as they stand in a file, and as signs for losses that want -1 and +1.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "asynprox/data/dataset.h"
#include "asynprox/linalg/vectors.h"

namespace asynprox {

struct LabelCount {
  double label = 0;
  std::size_t count = 0;
  bool operator==(const LabelCount&) const = default;
};

struct LabelSummary {
  std::vector<LabelCount> distinct;  // rising; empty if there are more than the limit
  bool more_than_limit = false;
  bool all_whole = true;  // every label is a whole number
  double smallest = 0;    // 0 if there are no labels
  double largest = 0;
};

LabelSummary label_summary(const Vector& labels, std::size_t limit = 50);

struct SignLabels {
  Vector signs;  // -1 or +1
  double negative = 0;
  double positive = 0;
  bool one_against_rest = false;  // `negative` is then one of several
};

// Of two labels the larger is +1, unless `positive_label` says otherwise; of more, positive_label
// is +1 and all others are -1. Throws ContractError, naming labels seen, where that leaves no
// meaning: one label, several without a positive_label, a positive_label that does not occur. Where
// labels are text, `label_names` are theirs (as in Dataset), for the messages.
SignLabels sign_labels(const Vector& labels, std::optional<double> positive_label = std::nullopt,
                       std::span<const std::string> label_names = {});

// The same of data, whose name the messages then have.
SignLabels sign_labels(const Dataset& data, std::optional<double> positive_label = std::nullopt);

// A label as the file has it: its name where labels are text, else the number.
std::string label_text(std::span<const std::string> label_names, double label);

// The label, as data.labels has it, that a user spells `text`: by its name where labels are text,
// else as a number. ContractError, "--positive-label: ...", with the labels there are, for text
// that is neither; whether a number occurs among the labels is not looked at.
double label_number(const Dataset& data, std::string_view text);

struct ClassLabels {
  Vector numbers;  // 0, 1, ..., C - 1 for each sample
  Vector classes;  // the label of each number; they rise
};

// Each label a class. Throws ContractError where there are fewer than two; where labels are text,
// `label_names` are theirs.
ClassLabels class_labels(const Vector& labels, std::span<const std::string> label_names = {});

// The same of data, whose name the messages then have.
ClassLabels class_labels(const Dataset& data);

}  // namespace asynprox
