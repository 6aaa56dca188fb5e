//   h(x) = lambda sum_j w_j |x_j|,  w >= 0; a coordinate of weight 0 is free
//   prox: soft-thresholding, coordinate j by eta * lambda * w_j
#pragma once

#include <cmath>
#include <cstddef>
#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/regularizers/l1.h"
#include "asynprox/regularizers/regularizer.h"

namespace asynprox {

struct WeightedL1 {
  static constexpr std::string_view name = "weighted-l1";
  static constexpr std::string_view formula = "lambda sum_j w_j |x_j|";
  static constexpr bool indicator = false;
  double lambda = 0;
  NumbersFile weights = {};  // w, one per coordinate

  static constexpr auto parameters() {
    return std::tuple(
        parameter(&WeightedL1::lambda, "lambda", at_least(0), "strength", Presence::required),
        file_parameter(&WeightedL1::weights, "weights", "w, one number >= 0 a coordinate",
                       Presence::required));
  }

  // Checks that there are `dimension` weights, finite and at least 0.
  void bind(std::size_t dimension) const;

  double value(double x, std::size_t j) const { return strength(j) * std::abs(x); }
  double prox(double v, double eta, std::size_t j) const {
    return soft_threshold(v, eta * strength(j));
  }

  double lazy_time(double eta) const { return eta; }
  double prox_after(double x, double time, std::size_t j) const {
    return soft_threshold(x, time * strength(j));
  }

  // Infinite where w_j = 0 and v is not.
  double zero_strength(double v, std::size_t j) const {
    return v == 0 ? 0 : std::abs(v) / weights.numbers[j];
  }

 private:
  // First of all lambda w_j: eta lambda may be infinite, and infinity times a weight of 0 is nan.
  double strength(std::size_t j) const { return lambda * weights.numbers[j]; }
};
static_assert(SeparableRegularizer<WeightedL1>);

}  // namespace asynprox
