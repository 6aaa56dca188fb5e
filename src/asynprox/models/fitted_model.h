// What a run leaves behind: the coefficients of a model, and how data must be treated before they
// apply. scores.h and predictions.h say what it says of other data.
#pragma once

#include <cstddef>
#include <optional>
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

//   u_ic = a_i'x_c + b_c            the score of sample i for output c
//   a_i  = D (s_i z_i) - mu         s_i = 1 / |z_i| where rows are normalised, D =
//   diag(column_scale)
//
// x_c is every C-th number of x, from number c on. That is a linear model; kinds.h has the others.
struct FittedModel {
  std::string loss = {};                        // its spec, for example "huber:delta=1.5"
  std::string regularizer = "zero";             // its spec, for the record
  std::size_t outputs = 1;                      // C: more than one for losses of several outputs
  Vector x = {};                                // C coefficients a feature, side by side
  Vector intercept = {};                        // b, one per output; empty: zeros
  bool normalize_rows = false;                  // rows have length 1 before they meet x
  Vector column_scale = {};                     // then columns count so many times; empty: once
  Vector center = {};                           // mu, taken off them then; empty: zeros
  std::optional<SignLabelNames> labels = {};    // of losses that take signs, and only of them
  Vector classes = {};                          // of losses that take classes: each output's label
  std::vector<std::string> label_names = {};    // where labels are text: label k is label_names[k]
  std::vector<std::string> feature_names = {};  // one per feature, where they are known
  std::string label_column = {};                // of CSV, as in Dataset: where its labels stood
  std::string label_column_name = {};           // and what that column was called, if it had a name
  std::optional<PictureShape> picture = {};     // x read row by row is a picture of this shape
  std::string model = "linear";                 // its spec: see kinds.h
  std::size_t features = 0;                     // of a model that is not linear
  std::optional<RatingsShape> ratings = {};     // of one of ratings
  std::string version = {};                     // of the asynprox that fitted it

  bool linear() const { return model == "linear"; }
  std::size_t dimension() const { return linear() ? x.size() / outputs : features; }  // features
};

// Throws ContractError, naming the field, unless
//   the loss and the model are known, and the regulariser is written as a spec;
//   there are labels exactly where the loss takes signs (two different finite numbers), and classes
//   exactly where it takes classes (an output each, at least two, all different);
//   what numbers labels is below the number of label names, if there are any, all different;
//   x has `outputs` numbers a feature (at most 2^32 in all), or what another model asks for, and
//   ratings have their shape; intercept one per output or none,
//   column_scale, center and feature_names one per feature or none; every number is finite, and those
//   of column_scale are above 0; label_column is empty, a number from 1 or "none";
//   the picture has a pixel.
void check_model(const FittedModel& model);

}  // namespace asynprox
