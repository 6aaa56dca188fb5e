// What a model says of samples: u_ic = a_i'x_c + b_c, see FittedModel, or as kinds.h has it.
// Columns are taken by their number; features.h brings those that have names into the model's
// order.
#pragma once

#include <cstddef>
#include <vector>

#include "asynprox/data/dataset.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/models/fitted_model.h"
#include "asynprox/models/kinds.h"

namespace asynprox {

// s_i for every sample, as in training: with normalize_rows, 1 over the length of the whole row,
// columns that x has no coefficient for included (1 for a row of zeros); data.row_scale is then not
// looked at, so that data may come as it was read or normalised already. Without, data.row_scale.
// Empty: all one. Of a block of larger data, errors count its samples from `samples_before`.
Vector row_scale(const FittedModel& model, const Dataset& data, std::size_t samples_before = 0);

// |a_i|^2 of every sample, all of its columns: one that the model has not counts as it stands.
Vector squared_lengths(const FittedModel& model, const Dataset& data,
                       std::size_t samples_before = 0);

struct Scores {
  Vector u = {};  // C numbers per sample, side by side
  // Columns beyond the model's last feature that occur in the data, rising; they add nothing to any
  // score.
  std::vector<Key> ignored = {};
};

// Keeps what does not depend on the data, so that it can be scored block by block.
class Scorer {
 public:
  // The model must outlive this, and pass check_model.
  explicit Scorer(const FittedModel& model);

  // Data may have fewer columns than the model, and may be standardised and centred already: its
  // own column scale and centre are not looked at. Throws DataError, naming the sample, where a
  // score is not finite.
  Scores scores(const Dataset& data, std::size_t samples_before = 0) const;

 private:
  // D x_c, without a copy where it is x.
  const Vector& coefficients(std::size_t c) const {
    return own_coefficients_.empty() ? model_.x : own_coefficients_[c];
  }

  // In place of `u`: the scores of a linear model.
  void linear_scores(const Dataset& data, const Vector& scale, Vector& u) const;

  const FittedModel& model_;
  ModelKind kind_;
  std::vector<Vector> own_coefficients_;
  Vector shift_;  // b_c - mu'x_c
};

// Of data that is all there.
Scores scores(const FittedModel& model, const Dataset& data);

}  // namespace asynprox
