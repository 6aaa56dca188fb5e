//   h(x) = 0 where |x| <= radius, else infinity
//   prox: the projection, a longer vector is scaled to the radius; the same for every eta, also 0.
//   In a diagonal metric v_j / (1 + theta s_j): scaled_norm.h
#pragma once

#include <span>
#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/regularizers/regularizer.h"
#include "asynprox/regularizers/scaled_norm.h"
#include "asynprox/regularizers/sets.h"
#include "asynprox/regularizers/sums.h"

namespace asynprox {

// In place: v scaled down to |v| = radius where it is longer.
inline void project_onto_ball(std::span<double> v, double radius) {
  const double size = stable_norm(v);
  if (!within(size, radius)) scale(v, radius / size);
}

struct L2Ball {
  static constexpr std::string_view name = "l2-ball";
  static constexpr std::string_view formula = "0 where |x| <= radius, else infinity";
  static constexpr bool indicator = true;
  static constexpr Structure structure = Structure::global;
  double radius = 1;

  static constexpr auto parameters() {
    return std::tuple(parameter(&L2Ball::radius, "radius", above(0), "largest |x|"));
  }

  double norm_max() const { return radius; }

  double value(std::span<const double> x) const {
    return indicator_value(within(stable_norm(x), radius));
  }
  void prox(std::span<double> v, double) const { project_onto_ball(v, radius); }
  void prox_scaled(std::span<double> v, std::span<const double> etas) const {
    project_onto_ball_scaled(v, etas, radius);
  }

  // radius |v|
  double conjugate(std::span<const double> v) const { return radius * stable_norm(v); }
};
static_assert(JointRegularizer<L2Ball>);

}  // namespace asynprox
