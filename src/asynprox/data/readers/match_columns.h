// Columns matched by their names: where the columns of a table stand in a model that was fitted to
// another table, whatever their order.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "asynprox/linalg/rows.h"
#include "asynprox/linalg/vectors.h"

namespace asynprox {

// The place of a column that is not wanted.
inline constexpr Key kNoColumn = std::numeric_limits<Key>::max();

struct ColumnMatch {
  std::vector<Key> places = {};           // of each given column among the wanted ones
  std::vector<std::string> ignored = {};  // names of given columns that are not wanted
  std::vector<std::size_t> missing = {};  // numbers, from 0, of wanted columns that are not given
};

// Of several columns with the same name, the first given is the first wanted, and so on. An empty
// name is none: such a column is matched by its number, where no name says otherwise.
ColumnMatch match_columns(std::span<const std::string> wanted, std::span<const std::string> given);

// Throws DataError, "<file>: ...", naming the first few columns that are missing, if any are.
void require_all_columns(const ColumnMatch& match, std::span<const std::string> wanted,
                         const std::string& file);

// A copy of the rows with every entry in its place and without those that have none. Columns beyond
// the places are not wanted.
Rows placed_rows(const Rows& rows, std::span<const Key> places, std::size_t num_columns);

// "'a', 'b', 'c' and 7 more": the first few names, as messages show them.
std::string names_shown(std::span<const std::string> names);

}  // namespace asynprox
