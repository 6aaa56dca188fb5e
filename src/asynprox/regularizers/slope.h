//   h(x) = lambda sum_j w_j |x|_(j)      |x|_(1) >= |x|_(2) >= ... the entries' sizes in falling
//                                        order, w_1 >= w_2 >= ... >= 0: sorted l1
//   prox: sizes in falling order less eta * lambda * w, made to fall again by averaging where they
//   rise, and stopped at zero; equal sizes stay equal. In a diagonal metric: scaled_slope.h
//
// Weights from q, the rate of false discoveries aimed at (Benjamini and Hochberg), with w_1 = 1:
//   w_j = z_j / z_1,  z_j = Phi^-1(1 - j q / (2 d))            Phi: the normal distribution
//
// Bogdan, van den Berg, Sabatti, Su and Candes (2015), SLOPE: adaptive variable selection via
// convex optimization.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/regularizers/regularizer.h"

namespace asynprox {

struct Slope {
  static constexpr std::string_view name = "slope";
  static constexpr std::string_view formula = "lambda sum_j w_j |x|_(j), |x|_(1) >= |x|_(2) >= ...";
  static constexpr bool indicator = false;
  static constexpr Structure structure = Structure::global;
  double lambda = 0;

  // Exactly one of these two.
  double q = 0;
  NumbersFile weights = {};

  Vector w = {};  // made by bind

  static constexpr auto parameters() {
    return std::tuple(
        parameter(&Slope::lambda, "lambda", at_least(0), "strength", Presence::required),
        parameter(&Slope::q, "q", Bounds{.lower = 0, .upper = 1},
                  "w_j = Phi^-1(1 - j q / (2 d)), divided by w_1"),
        file_parameter(&Slope::weights, "weights",
                       "instead of q: w, one number per coordinate, none above the one before"));
  }

  void bind(std::size_t dimension);
  double value(std::span<const double> x) const;
  void prox(std::span<double> v, double eta) const;
  void prox_scaled(std::span<double> v, std::span<const double> etas) const;

  // The largest over k of (sum of the k largest |v_j|) / (w_1 + ... + w_k)
  double zero_strength(std::span<const double> v) const;
};
static_assert(JointRegularizer<Slope>);

// z with a normal variable above it with probability p, 0 < p <= 1/2. `start` is at least z, and
// the nearer the faster; infinity will do.
double normal_quantile_above(double p, double start);

}  // namespace asynprox
