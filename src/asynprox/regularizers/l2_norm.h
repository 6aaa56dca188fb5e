//   h(x) = lambda |x|
//   prox: the whole vector shrinks by eta * lambda in length and stops at zero. In a diagonal
//   metric: scaled_norm.h
#pragma once

#include <span>
#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/regularizers/regularizer.h"
#include "asynprox/regularizers/scaled_norm.h"
#include "asynprox/regularizers/sums.h"

namespace asynprox {

// What to multiply a vector of this length with, so that it becomes `amount` shorter and stops at
// zero. The difference first: where the two are close it is exact.
inline double shrink_factor(double length, double amount) {
  return length <= amount ? 0 : (length - amount) / length;
}

struct L2Norm {
  static constexpr std::string_view name = "l2-norm";
  static constexpr std::string_view formula = "lambda |x|";
  static constexpr bool indicator = false;
  static constexpr Structure structure = Structure::global;
  double lambda = 0;

  static constexpr auto parameters() {
    return std::tuple(
        parameter(&L2Norm::lambda, "lambda", at_least(0), "strength", Presence::required));
  }

  double value(std::span<const double> x) const { return lambda * stable_norm(x); }
  void prox(std::span<double> v, double eta) const {
    const double factor = shrink_factor(stable_norm(v), eta * lambda);
    for (double& v_j : v) v_j = factor == 0 ? 0 : factor * v_j;
  }
  void prox_scaled(std::span<double> v, std::span<const double> etas) const {
    shrink_scaled(v, etas, lambda);
  }

  double zero_strength(std::span<const double> v) const { return stable_norm(v); }
};
static_assert(JointRegularizer<L2Norm>);

}  // namespace asynprox
