//   h(x) = (lambda / 2) |x|^2
//   prox: each coordinate is divided by 1 + eta * lambda
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/regularizers/regularizer.h"

namespace asynprox {

// log(1 + product), finite also where the product overflowed, so that lazy times can be summed.
inline double log1p_finite(double product) {
  return std::log1p(std::min(product, std::numeric_limits<double>::max()));
}

struct SquaredL2 {
  static constexpr std::string_view name = "squared-l2";
  static constexpr std::string_view formula = "(lambda / 2) |x|^2";
  static constexpr bool indicator = false;
  double lambda = 0;

  static constexpr auto parameters() {
    return std::tuple(
        parameter(&SquaredL2::lambda, "lambda", at_least(0), "strength", Presence::required));
  }

  double value(double x, std::size_t) const { return (0.5 * lambda * x) * x; }
  double prox(double v, double eta, std::size_t) const { return v / (1 + eta * lambda); }

  // The product of the 1 + eta lambda, as a logarithm.
  double lazy_time(double eta) const { return log1p_finite(eta * lambda); }
  double prox_after(double x, double time, std::size_t) const { return x * std::exp(-time); }

  // v^2 / (2 lambda)
  double conjugate(double v, std::size_t) const { return v == 0 ? 0 : (v / lambda) * (v / 2); }
};
static_assert(SeparableRegularizer<SquaredL2>);

}  // namespace asynprox
