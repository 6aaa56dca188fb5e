//   h(x) = 0 where x >= 0, else infinity
//   prox: the projection, negative coordinates become 0; the same for every eta, also 0
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <tuple>

#include "asynprox/regularizers/regularizer.h"
#include "asynprox/regularizers/sets.h"

namespace asynprox {

// max(v, 0), which lets a nan through.
inline double positive_part(double v) { return std::max(v, 0.0); }

struct NonNeg {
  static constexpr std::string_view name = "nonneg";
  static constexpr std::string_view formula = "0 where x >= 0, else infinity";
  static constexpr bool indicator = true;

  static constexpr auto parameters() { return std::tuple(); }

  double value(double x, std::size_t) const { return indicator_value(x >= 0); }
  double prox(double v, double, std::size_t) const { return positive_part(v); }

  double lazy_time(double) const { return 0; }
  double prox_after(double x, double, std::size_t) const { return positive_part(x); }

  double conjugate(double v, std::size_t) const { return indicator_value(v <= 0); }
};
static_assert(SeparableRegularizer<NonNeg>);

}  // namespace asynprox
