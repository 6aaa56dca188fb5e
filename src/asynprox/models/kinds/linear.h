// u_c = a'x_c + b_c: made by solve() of the data itself, see FittedModel.
#pragma once

#include <tuple>

#include "asynprox/models/kinds/kind.h"

namespace asynprox {

struct LinearModel {
  static constexpr std::string_view name = "linear";
  static constexpr std::string_view formula = "u_c = a'x_c + b_c";
  static constexpr bool of_ratings = false;
  static constexpr auto parameters() { return std::tuple(); }

  static std::size_t num_coefficients(const ModelShape& shape) {
    return shape.features * shape.outputs;
  }
  static Dataset linear_data(const Dataset& data) { return data; }
};
static_assert(Kind<LinearModel>);

}  // namespace asynprox
