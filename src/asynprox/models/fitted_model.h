// What a run leaves behind, and what it says of other data.
//
//   u_i = s_i z_i'x - mu'x      the score of sample i; s_i = 1 / |z_i| where the model normalises
//                               rows, mu is what its data was centred by
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "asynprox/data/dataset.h"
#include "asynprox/linalg/vectors.h"

namespace asynprox {

// What the signs -1 and +1 were called in the training data. With one_against_rest, every label but
// `positive` is negative, and `negative` is only one of them.
struct SignLabelNames {
  double negative = -1;
  double positive = 1;
  bool one_against_rest = false;
  bool operator==(const SignLabelNames&) const = default;
};

// The coefficients, and how data must be treated before they apply.
struct FittedModel {
  std::string loss = {};                        // its spec, for example "huber:delta=1.5"
  std::string regularizer = "zero";             // its spec, for the record
  std::size_t outputs = 1;                      // C: more than one for losses of several outputs
  Vector x = {};                                // C coefficients a feature, side by side
  Vector intercept = {};                        // b, one an output; empty: zeros
  bool normalize_rows = false;                  // rows have length 1 before they meet x
  Vector column_scale = {};                     // then columns count so many times; empty: once
  Vector center = {};                           // mu, taken off them then; empty: zeros
  std::optional<SignLabelNames> labels = {};    // of losses that take signs, and only of them
  Vector classes = {};                          // of losses that take classes: each output's label
  std::vector<std::string> label_names = {};    // where labels are text: label k is label_names[k]
  std::vector<std::string> feature_names = {};  // one a feature, where they are known
  std::optional<PictureShape> picture = {};     // x read row by row is a picture of this shape
  std::string version = {};                     // of the asynprox that fitted it
};

// Throws ContractError, naming the field, unless the loss is known, the regulariser
// is written as a spec, there are labels exactly where the loss takes signs (two different finite
// numbers), all of x is finite (at most 2^32 of it), and so is the centre, which has as many
// numbers, if any, and the picture has a pixel.
void check_model(const FittedModel& model);

// s_i for every sample, as in training: with normalize_rows, 1 over the length of the whole row,
// columns that x has no coefficient for included (1 for a row of zeros); data.row_scale is then not
// looked at, so that data may come as it was read or normalised already. Without, data.row_scale.
// Empty: all one.
Vector row_scale(const FittedModel& model, const Dataset& data);

// |s_i z_i - mu|^2 of every sample, all of its columns.
Vector squared_lengths(const FittedModel& model, const Dataset& data);

struct Scores {
  Vector u = {};
  // Columns beyond the last coefficient that occur in the data; they add nothing to any score.
  std::size_t columns_ignored = 0;
};

// Data may have fewer columns than the model, and may be centred already: its own centre is not
// looked at. Throws DataError, naming the sample, where a score is
// not finite.
Scores scores(const FittedModel& model, const Dataset& data);

// 1 / (1 + e^-u): how probable the positive label is. Only the logistic loss knows: for another,
// ContractError.
Vector probabilities(const FittedModel& model, std::span<const double> u);

// For a loss of signs the positive label where u > 0 and the negative label elsewhere, also where
// u = 0 (with one_against_rest the negative label stands for all the others); else u itself.
Vector predicted_labels(const FittedModel& model, std::span<const double> u);

}  // namespace asynprox
