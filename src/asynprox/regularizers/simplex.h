//   h(x) = 0 where x >= 0 and sum_j x_j = radius, else infinity
//   prox: the projection, max(v_j - theta, 0); the same for every eta, also 0. In a diagonal metric
//   max(v_j - theta s_j, 0)
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/regularizers/regularizer.h"
#include "asynprox/regularizers/sets.h"
#include "asynprox/regularizers/simplex_shift.h"
#include "asynprox/regularizers/sums.h"

namespace asynprox {

struct Simplex {
  static constexpr std::string_view name = "simplex";
  static constexpr std::string_view formula =
      "0 where x >= 0 and sum_j x_j = radius, else infinity";
  static constexpr bool indicator = true;
  static constexpr Structure structure = Structure::global;
  double radius = 1;

  static constexpr auto parameters() {
    return std::tuple(parameter(&Simplex::radius, "radius", above(0), "the sum"));
  }

  double norm_max() const { return radius; }

  double value(std::span<const double> x) const { return indicator_value(inside(x)); }
  void prox(std::span<double> v, double) const {
    if (inside(v)) return;
    const SimplexShift shift(v, radius, std::identity());
    for (double& v_j : v) v_j = shift(v_j);
  }
  void prox_scaled(std::span<double> v, std::span<const double> etas) const {
    if (inside(v)) return;
    const Vector s = relative_steps(etas);
    const ScaledSimplexShift shift(v, s, radius, std::identity());
    for (std::size_t j = 0; j < v.size(); ++j) v[j] = shift(v[j], s[j]);
  }

  // radius max_j v_j
  double conjugate(std::span<const double> v) const {
    return v.empty() ? 0 : radius * *std::ranges::max_element(v);
  }

 private:
  bool inside(std::span<const double> x) const {
    if (!std::ranges::all_of(x, [](double x_j) { return x_j >= 0; })) return false;
    const double sum = pairwise_sum(0, x.size(), [&](std::size_t j) { return x[j]; });
    return std::abs(sum - radius) <= radius * kSetTolerance;
  }
};
static_assert(JointRegularizer<Simplex>);

}  // namespace asynprox
