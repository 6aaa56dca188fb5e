// Some rows that follow each other, without a copy of their entries.
#pragma once

#include "asynprox/linalg/rows.h"

namespace asynprox {

// Rows first to last - 1. Throws DataError where the offsets of a mapped file do not rise.
Rows row_slice(const Rows& rows, std::size_t first, std::size_t last);

}  // namespace asynprox
