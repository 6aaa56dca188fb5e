// All rows, one after another, whatever their form: for what looks at each entry once.
#pragma once

#include <functional>
#include <span>

#include "asynprox/linalg/rows.h"

namespace asynprox {

// Calls visit(i, entries) for every row in order; the entries are valid during the call. Throws
// DataError for rows of a mapped file that say they lie elsewhere; columns may still be any.
void walk_rows(const Rows& rows,
               const std::function<void(std::size_t, std::span<const RowEntry>)>& visit);

}  // namespace asynprox
