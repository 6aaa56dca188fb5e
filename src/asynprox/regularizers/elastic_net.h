//   h(x) = l1 |x|_1 + (l2 / 2) |x|^2
//   prox: soft-thresholding by eta * l1, then division by 1 + eta * l2
//
// Zou and Hastie (2005), Regularization and variable selection via the elastic net.
#pragma once

#include <cmath>
#include <cstddef>
#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/regularizers/l1.h"
#include "asynprox/regularizers/regularizer.h"
#include "asynprox/regularizers/sets.h"
#include "asynprox/regularizers/squared_l2.h"

namespace asynprox {

struct ElasticNet {
  static constexpr std::string_view name = "elastic-net";
  static constexpr std::string_view formula = "l1 |x|_1 + (l2 / 2) |x|^2";
  static constexpr bool indicator = false;
  double l1 = 0;
  double l2 = 0;

  static constexpr auto parameters() {
    return std::tuple(
        parameter(&ElasticNet::l1, "l1", at_least(0), "strength of |x|_1", Presence::required),
        parameter(&ElasticNet::l2, "l2", at_least(0), "strength of |x|^2 / 2", Presence::required));
  }

  double value(double x, std::size_t) const { return l1 * std::abs(x) + (0.5 * l2 * x) * x; }
  double prox(double v, double eta, std::size_t) const {
    return soft_threshold(v, eta * l1) / (1 + eta * l2);
  }

  // With D = sum of log(1 + l2 eta) the steps together are S(e^-D x, l1 (1 - e^-D) / l2). The time
  // is D / l2, which goes over into the sum of eta, and the threshold into l1 time, as l2 -> 0.
  double lazy_time(double eta) const { return l2 > 0 ? log1p_finite(eta * l2) / l2 : eta; }
  double prox_after(double x, double time, std::size_t) const {
    const double threshold = l2 > 0 ? l1 * (-std::expm1(-l2 * time) / l2) : l1 * time;
    return soft_threshold(std::exp(-l2 * time) * x, threshold);
  }

  // S(v, l1)^2 / (2 l2)
  double conjugate(double v, std::size_t) const {
    const double above = l2 > 0 ? soft_threshold(v, l1) : excess(std::abs(v), l1);
    return above == 0 ? 0 : (above / l2) * (above / 2);
  }
  double dual_scale(double v, std::size_t) const {
    return l2 > 0 || std::abs(v) <= l1 ? 1 : l1 / std::abs(v);
  }
  double zero_strength(double v, std::size_t) const { return std::abs(v); }
};
static_assert(SeparableRegularizer<ElasticNet>);

}  // namespace asynprox
