// Rows in the form that serves them best, whatever form they have.
#pragma once

#include "asynprox/linalg/rows.h"

namespace asynprox {

// The same entries, copied, under as many columns as that or more.
Rows repacked(const Rows& rows, std::size_t num_columns);

// Whether the binary form has a place for rows as these are: those that were borrowed from a
// caller's arrays may have to be repacked.
bool is_storable(const Rows& rows);

}  // namespace asynprox
