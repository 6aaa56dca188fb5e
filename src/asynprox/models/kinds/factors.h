// u = b0 + b_user + b_item + U_user'V_item: see sums/factorization.h.
#pragma once

#include <cstdint>
#include <tuple>

#include "asynprox/models/kinds/kind.h"

namespace asynprox {

struct FactorModel {
  static constexpr std::string_view name = "factors";
  static constexpr std::string_view formula =
      "u = b0 + b_user + b_item + U_user'V_item, of ratings";
  static constexpr bool of_ratings = true;
  std::int64_t rank = 8;

  static constexpr auto parameters() {
    return std::tuple(
        parameter(&FactorModel::rank, "rank", from_to(0, 1e6), "factors of a user or an item"));
  }

  std::size_t num_coefficients(const ModelShape& shape) const;
  ModelSum make_sum(const Dataset& data, const AnyLoss& loss, std::size_t outputs,
                    bool intercept) const;
  Vector scores(const FittedModel& model, const Dataset& data, const Vector& row_scale) const;
};
static_assert(Kind<FactorModel> && HasSum<FactorModel>);

}  // namespace asynprox
