// Parts of a data set.
#pragma once

#include "asynprox/data/dataset.h"
#include "asynprox/linalg/rows.h"

namespace asynprox {

// Rows first to last - 1, without a copy of their entries. Throws DataError where the offsets of a mapped file do not rise.
Rows row_slice(const Rows& rows, std::size_t first, std::size_t last);

// All that is said of the columns and of the whole, for a data set of some of its samples: without
// rows, labels and whatever else belongs to single samples.
Dataset without_samples(const Dataset& data);

}  // namespace asynprox
