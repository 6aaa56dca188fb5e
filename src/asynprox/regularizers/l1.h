//   h(x) = lambda |x|_1
//   prox: soft-thresholding, each coordinate moves towards zero by eta * lambda and stops there
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/regularizers/regularizer.h"

namespace asynprox {

// sign(v) max(|v| - t, 0). For t >= 0 that is v - clamp(v, -t, t), which vectorises.
inline double soft_threshold(double v, double t) { return v - std::clamp(v, -t, t); }

struct L1 {
  static constexpr std::string_view name = "l1";
  static constexpr std::string_view formula = "lambda |x|_1";
  static constexpr bool indicator = false;
  double lambda = 0;

  static constexpr auto parameters() {
    return std::tuple(
        parameter(&L1::lambda, "lambda", at_least(0), "strength", Presence::required));
  }

  double value(double x, std::size_t) const { return lambda * std::abs(x); }
  double prox(double v, double eta, std::size_t) const { return soft_threshold(v, eta * lambda); }

  double lazy_time(double eta) const { return eta; }
  double prox_after(double x, double time, std::size_t) const {
    return soft_threshold(x, time * lambda);
  }

  double zero_strength(double v, std::size_t) const { return std::abs(v); }
};
static_assert(SeparableRegularizer<L1>);

}  // namespace asynprox
