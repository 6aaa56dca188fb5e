// What scores mean: labels and probabilities, in the model's own terms.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "asynprox/linalg/vectors.h"
#include "asynprox/models/fitted_model.h"

namespace asynprox {

// How probable labels are, by scores with C numbers per sample. For another loss: ContractError.
//
//   logistic       1 / (1 + e^-u): of the positive label, a number a sample
//   multinomial    e^u_c / sum_k e^u_k: of every class, C numbers per sample
bool has_probabilities(const FittedModel& model);
Vector probabilities(const FittedModel& model, std::span<const double> u);

// A label number a sample. For a loss of signs the positive label where u > 0 and the negative
// label elsewhere, also where u = 0 (with one_against_rest the negative label stands for all the
// others); for a loss of classes the label of the largest score, of equal ones the first; for
// poisson the expected count e^u; else u itself.
Vector predicted_labels(const FittedModel& model, std::span<const double> u);

// The place of the largest of each C numbers, of equal ones the first.
std::vector<std::size_t> largest_places(std::span<const double> u, std::size_t outputs);

// A label number as it is spelt: its name where labels are text, else the shortest number that
// reads as the same.
std::string label_text(const FittedModel& model, double label);

// The same of a prediction: of one against the rest, what is not the positive label X is "not X",
// for it may be any of the others.
std::string prediction_text(const FittedModel& model, double label);

}  // namespace asynprox
