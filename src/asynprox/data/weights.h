// How much each sample counts.
#pragma once

#include <span>
#include <string>

#include "asynprox/data/dataset.h"

namespace asynprox {

// A file of weights, one per line, all at least 0. Throws DataError, file:line: expected ..., got ...
Vector read_weights(const std::string& path);

// DataError, naming `source`, unless all are finite and at least 0, and not all are 0.
void check_weights(std::span<const double> weights, const std::string& source);

// In place: sample i counts weights[i] times, instead of as it did before. DataError, naming
// `source`, unless there is one for every sample, and check_weights is content.
void set_weights(Dataset& data, Vector weights, const std::string& source = "weights");

// In place: multiplies the weight of every sample of class c by
//
//   W / (C W_c)     W the weights of all samples, W_c those of the class, C the number of classes
//
// so that every class counts as much as any other, and all together as before. Without weights this
// is n / (C n_c). ContractError for labels that are no classes: more than 1,000 different ones, or
// a class without weight.
void weigh_classes(Dataset& data);

}  // namespace asynprox
