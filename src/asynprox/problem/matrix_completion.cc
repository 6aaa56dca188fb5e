#include "asynprox/problem/matrix_completion.h"

#include <fmt/format.h>

#include <limits>

#include "asynprox/base/errors.h"
#include "asynprox/data/row_walk.h"

namespace asynprox {

Dataset matrix_entries(const Dataset& ratings) {
  require(ratings.ratings.has_value(),
          ratings.name + ": expected ratings (user, item, rating), got other data");
  const auto [num_users, num_items] = *ratings.ratings;
  require(num_users <= std::numeric_limits<Key>::max() / std::max<std::size_t>(1, num_items),
          fmt::format("{}: a matrix of {} users by {} items has too many entries", ratings.name,
                      num_users, num_items));
  CsrMatrix matrix;
  matrix.num_columns = num_users * num_items;
  walk_rows(ratings.rows, [&](std::size_t i, std::span<const RowEntry> entries) {
    const bool whole = entries.size() == 2 && entries[0].value == 1 && entries[1].value == 1 &&
                       entries[0].column < num_users && entries[1].column >= num_users;
    require(whole, fmt::format("{}: row {}: expected a one for a user and a one for an item",
                               ratings.name, i + 1));
    const std::size_t item = entries[1].column - num_users;
    matrix.columns.push_back(static_cast<Key>(entries[0].column * num_items + item));
    matrix.values.push_back(1);
    matrix.offsets.push_back(matrix.columns.size());
  });
  Dataset entries = {.name = ratings.name, .labels = ratings.labels, .weights = ratings.weights};
  entries.rows = Rows::narrowed(matrix);
  return entries;
}

LinearSum matrix_completion(const Dataset& ratings, AnyLoss loss, const LinearSumOptions& options) {
  return LinearSum(matrix_entries(ratings), ratings.labels, std::move(loss), options);
}

}  // namespace asynprox
