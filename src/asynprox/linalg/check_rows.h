// Whether arrays are what they claim to be.
#pragma once

#include "asynprox/linalg/rows.h"

namespace asynprox {

// In constant time, as Rows::borrowed() says.
void check_sizes(const RowArrays& arrays);

// All entries of arrays whose sizes are right, as Rows::check_entries() says.
void check_entries(const RowArrays& arrays);

}  // namespace asynprox
