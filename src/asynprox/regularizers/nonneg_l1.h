//   h(x) = lambda sum_j x_j where x >= 0, else infinity
//   prox: each coordinate moves down by eta * lambda and stops at zero
#pragma once

#include <cstddef>
#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/regularizers/nonneg.h"
#include "asynprox/regularizers/regularizer.h"
#include "asynprox/regularizers/sets.h"

namespace asynprox {

struct NonNegL1 {
  static constexpr std::string_view name = "nonneg-l1";
  static constexpr std::string_view formula = "lambda sum_j x_j where x >= 0, else infinity";
  static constexpr bool indicator = false;
  double lambda = 0;

  static constexpr auto parameters() {
    return std::tuple(
        parameter(&NonNegL1::lambda, "lambda", at_least(0), "strength", Presence::required));
  }

  double value(double x, std::size_t) const { return x >= 0 ? lambda * x : indicator_value(false); }
  double prox(double v, double eta, std::size_t) const { return positive_part(v - eta * lambda); }

  double lazy_time(double eta) const { return eta; }
  double prox_after(double x, double time, std::size_t) const {
    return positive_part(x - time * lambda);
  }

  double zero_strength(double v, std::size_t) const { return positive_part(v); }
};
static_assert(SeparableRegularizer<NonNegL1>);

}  // namespace asynprox
