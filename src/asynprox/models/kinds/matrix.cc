#include "asynprox/models/kinds/matrix.h"

#include <fmt/format.h>

#include <algorithm>

#include "asynprox/base/errors.h"
#include "asynprox/data/row_walk.h"
#include "asynprox/models/fitted_model.h"
#include "asynprox/regularizers/nuclear.h"
#include "asynprox/sums/matrix_completion.h"

namespace asynprox {

std::size_t MatrixModel::num_coefficients(const ModelShape& shape) {
  const RatingsShape ratings = ratings_of(shape);
  return ratings.num_users * ratings.num_items;
}

ModelSum MatrixModel::make_sum(const Dataset& data, const AnyLoss& loss, std::size_t /*outputs*/,
                               bool intercept) {
  require(!loss.several_outputs(),
          fmt::format("a matrix of ratings takes a loss of one number, got {}", loss.name()));
  return {.f = matrix_completion(data, loss, {.intercept = intercept})};
}

Vector MatrixModel::scores(const FittedModel& model, const Dataset& data,
                           const Vector& /*row_scale*/) {
  const auto [num_users, num_items] = *model.ratings;
  Vector scores(data.rows.num_rows(), model.intercept.empty() ? 0 : model.intercept[0]);
  walk_rows(data.rows, [&](std::size_t i, std::span<const RowEntry> row) {
    if (row.size() != 2 || row[0].column >= num_users || row[1].column < num_users ||
        row[1].column >= num_users + num_items)
      return;
    scores[i] += model.x[row[0].column * num_items + (row[1].column - num_users)];
  });
  return scores;
}

Spec MatrixModel::regularizer(const RatingsShape& ratings, const Spec& typed) {
  if (typed.name != Nuclear::name) return typed;
  constexpr const char* kColumns = "columns";
  const auto columns = std::ranges::find(typed.settings, kColumns, &Spec::Setting::key);
  if (columns == typed.settings.end()) {
    Spec whole = typed;
    whole.settings.push_back({kColumns, fmt::format("{}", ratings.num_items)});
    return whole;
  }
  const double number = parse_number(columns->value, "nuclear: columns");
  require(
      number == static_cast<double>(ratings.num_items),
      fmt::format("nuclear: columns: expected {}, one per item (it need not be written), got {}",
                  ratings.num_items, columns->value));
  return typed;
}

Dataset MatrixModel::linear_data(const Dataset& data) { return matrix_entries(data); }

}  // namespace asynprox
