//   h(x) = lambda sum_j |x_{j+1} - x_j|          coordinates in their order: few jumps
//   prox: the slopes of a taut string (taut_string.h) in a tube of eta * lambda about the graph of
//   v's running sums. Linear time; coordinates of one piece are equal, not nearly. In a diagonal
//   metric coordinates have weights 1 / s_j, and a tube of lambda
//
// Davies and Kovac (2001), Local extremes, runs, strings and multiresolution.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/regularizers/regularizer.h"

namespace asynprox {

struct Tv1d {
  static constexpr std::string_view name = "tv-1d";
  static constexpr std::string_view formula = "lambda sum_j |x_{j+1} - x_j|";
  static constexpr bool indicator = false;
  static constexpr Structure structure = Structure::global;
  double lambda = 0;

  static constexpr auto parameters() {
    return std::tuple(
        parameter(&Tv1d::lambda, "lambda", at_least(0), "strength", Presence::required));
  }

  double value(std::span<const double> x) const {
    double sum = 0;
    for (std::size_t j = 1; j < x.size(); ++j) sum += std::abs(x[j] - x[j - 1]);
    return lambda * sum;
  }
  void prox(std::span<double> v, double eta) const;
  void prox_scaled(std::span<double> v, std::span<const double> etas) const;
};
static_assert(JointRegularizer<Tv1d>);

}  // namespace asynprox
