//   h(x) = 0 where x >= 0 and |x| <= radius, else infinity         the set of non-negative PCA
//   prox: the projection: clip, then scale; the same for every eta, also 0. In a diagonal metric:
//   clip, then as l2-ball does
#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/regularizers/l2_ball.h"
#include "asynprox/regularizers/nonneg.h"
#include "asynprox/regularizers/regularizer.h"
#include "asynprox/regularizers/scaled_norm.h"
#include "asynprox/regularizers/sets.h"
#include "asynprox/regularizers/sums.h"

namespace asynprox {

struct NonNegBall {
  static constexpr std::string_view name = "nonneg-ball";
  static constexpr std::string_view formula = "0 where x >= 0 and |x| <= radius, else infinity";
  static constexpr bool indicator = true;
  static constexpr Structure structure = Structure::global;
  double radius = 1;

  static constexpr auto parameters() {
    return std::tuple(parameter(&NonNegBall::radius, "radius", above(0), "largest |x|"));
  }

  double norm_max() const { return radius; }

  double value(std::span<const double> x) const {
    const bool nonneg = std::ranges::all_of(x, [](double x_j) { return x_j >= 0; });
    return indicator_value(nonneg && within(stable_norm(x), radius));
  }
  void prox(std::span<double> v, double) const {
    for (double& v_j : v) v_j = positive_part(v_j);
    project_onto_ball(v, radius);
  }
  void prox_scaled(std::span<double> v, std::span<const double> etas) const {
    for (double& v_j : v) v_j = positive_part(v_j);
    project_onto_ball_scaled(v, etas, radius);
  }

  // radius |max(v, 0)|
  double conjugate(std::span<const double> v) const {
    return radius * stable_norm(v.size(), [&](std::size_t j) { return positive_part(v[j]); });
  }
};
static_assert(JointRegularizer<NonNegBall>);

}  // namespace asynprox
