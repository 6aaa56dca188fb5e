// Whether arrays are what they claim to be.
#pragma once

#include "asynprox/linalg/rows.h"

namespace asynprox {

// In constant time, as Rows::borrowed() says.
void check_sizes(const RowArrays& arrays);

// All entries of arrays whose sizes are right, as Rows::check_entries() says.
void check_entries(const RowArrays& arrays);

// Those of the rows `first` to `last` - 1. Returns how many there are.
std::size_t check_entries(const RowArrays& arrays, std::size_t first, std::size_t last);

}  // namespace asynprox
