//   h(x) = 0: the indicator of all of R^d
//   prox: the identity
#pragma once

#include <cstddef>
#include <string_view>
#include <tuple>

#include "asynprox/regularizers/regularizer.h"

namespace asynprox {

struct Zero {
  static constexpr std::string_view name = "zero";
  static constexpr std::string_view formula = "0";
  static constexpr bool indicator = true;

  static constexpr auto parameters() { return std::tuple(); }

  double value(double, std::size_t) const { return 0; }
  double prox(double v, double, std::size_t) const { return v; }

  double lazy_time(double) const { return 0; }
  double prox_after(double x, double, std::size_t) const { return x; }
};
static_assert(SeparableRegularizer<Zero>);

}  // namespace asynprox
