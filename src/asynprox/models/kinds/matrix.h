// u = X[user, item] + b, with x all of X: see sums/matrix_completion.h.
#pragma once

#include <tuple>

#include "asynprox/base/spec.h"
#include "asynprox/models/kinds/kind.h"

namespace asynprox {

struct MatrixModel {
  static constexpr std::string_view name = "matrix";
  static constexpr std::string_view formula =
      "u = X[user, item] + b, of ratings; x is X row by row";
  static constexpr bool of_ratings = true;
  static constexpr auto parameters() { return std::tuple(); }

  static std::size_t num_coefficients(const ModelShape& shape);
  static ModelSum make_sum(const Dataset& data, const AnyLoss& loss, std::size_t outputs,
                           bool intercept);
  // Nothing but b for a user or an item that the model does not know.
  static Vector scores(const FittedModel& model, const Dataset& data, const Vector& row_scale);

  // The nuclear norm has a column for each item, which need not be written.
  static Spec regularizer(const RatingsShape& ratings, const Spec& typed);
  // A sample has one entry, X[user, item].
  static Dataset linear_data(const Dataset& data);
};
static_assert(Kind<MatrixModel> && HasSum<MatrixModel>);

}  // namespace asynprox
