//   h(x) = 0 where |x|_1 <= radius, else infinity
//   prox: the projection, soft-thresholding by the least amount that leads inside; the same for
//   every eta, also 0. In a diagonal metric, by theta s_j
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/regularizers/regularizer.h"
#include "asynprox/regularizers/sets.h"
#include "asynprox/regularizers/simplex_shift.h"
#include "asynprox/regularizers/sums.h"

namespace asynprox {

struct L1Ball {
  static constexpr std::string_view name = "l1-ball";
  static constexpr std::string_view formula = "0 where |x|_1 <= radius, else infinity";
  static constexpr bool indicator = true;
  static constexpr Structure structure = Structure::global;
  double radius = 1;

  static constexpr auto parameters() {
    return std::tuple(parameter(&L1Ball::radius, "radius", above(0), "largest |x|_1"));
  }

  double norm_max() const { return radius; }

  double value(std::span<const double> x) const { return indicator_value(inside(x)); }
  void prox(std::span<double> v, double) const {
    if (inside(v)) return;
    const SimplexShift shift(v, radius, [](double v_j) { return std::abs(v_j); });
    for (double& v_j : v) v_j = v_j < 0 ? 0 - shift(-v_j) : shift(v_j);
  }
  void prox_scaled(std::span<double> v, std::span<const double> etas) const {
    if (inside(v)) return;
    const Vector s = relative_steps(etas);
    const ScaledSimplexShift shift(v, s, radius, [](double v_j) { return std::abs(v_j); });
    for (std::size_t j = 0; j < v.size(); ++j)
      v[j] = v[j] < 0 ? 0 - shift(-v[j], s[j]) : shift(v[j], s[j]);
  }

  // radius max_j |v_j|
  double conjugate(std::span<const double> v) const {
    double largest = 0;
    for (const double v_j : v) largest = std::max(largest, std::abs(v_j));
    return radius * largest;
  }

 private:
  bool inside(std::span<const double> x) const {
    return within(pairwise_sum(0, x.size(), [&](std::size_t j) { return std::abs(x[j]); }), radius);
  }
};
static_assert(JointRegularizer<L1Ball>);

}  // namespace asynprox
