#include "asynprox/sums/matrix_completion.h"

#include <fmt/format.h>

#include <limits>

#include "asynprox/base/errors.h"
#include "asynprox/data/readers/ratings.h"

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
  for_each_rating(ratings, [&](std::size_t, std::size_t user, std::size_t item) {
    matrix.columns.push_back(static_cast<Key>(user * num_items + item));
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
