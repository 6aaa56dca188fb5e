// Numbers whose squares underflow: gradients, curvatures and bounds on the error come out as 0 there, so
// that a model of zeros would pass for the best one.
#pragma once

#include "asynprox/data/dataset.h"

namespace asynprox {

// DataError, naming the column, where one has values other than 0, but squares of none of them, as rows
// and columns are scaled, that keep their digits. Up to two passes over the data where values are
// doubles, none where they are narrower.
void check_column_magnitudes(const Dataset& data);

// The same of labels that are numbers.
void check_label_magnitudes(const Dataset& data);

// Of values with a mean square of at least that, squares keep their digits.
inline constexpr double kMeanSquareMin = 1e-290;

}  // namespace asynprox
