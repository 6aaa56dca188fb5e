// The projection of s onto {x >= 0, sum x = radius} lowers all coordinates by one amount and stops
// at zero: x_j = max(s_j - theta, 0). This is that theta, found in expected linear time. In a
// diagonal metric they are lowered by amounts in proportion to their steps.
//
// Duchi, Shalev-Shwartz, Singer and Chandra (2008), Efficient projections onto the l1-ball for
// learning in high dimensions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "asynprox/linalg/vectors.h"
#include "asynprox/regularizers/nonneg.h"

namespace asynprox {

// a b - c d, to two roundings of the difference: Kahan's algorithm; Jeannerod, Louvet and Muller
// (2013), Further analysis of Kahan's algorithm for the accurate computation of 2x2 determinants.
inline double difference_of_products(double a, double b, double c, double d) {
  const double subtracted = c * d;
  return std::fma(a, b, -subtracted) + std::fma(-c, d, subtracted);
}

class SimplexShift {
 public:
  // For s_j = size(v_j). radius > 0; v is only read.
  template <class Size>
  SimplexShift(std::span<const double> v, double radius, const Size& size) {
    for (const double v_j : v) largest_ = std::max(largest_, size(v_j));
    // x_j <= radius for the largest, so whatever is `radius` below it becomes zero.
    Vector near;
    for (const double v_j : v)
      if (size(v_j) - largest_ > -radius) near.push_back(size(v_j) - largest_);
    find(near, radius);
  }

  // x_j from s_j.
  double operator()(double s_j) const {
    return positive_part(((s_j - largest_) - theta_) - theta_low_);
  }

 private:
  // Fills theta from the differences to the largest s_j, which it reorders.
  void find(std::span<double> w, double radius);

  // Measured from the largest s_j, huge entries keep their differences; in two parts, rounding
  // theta does not add up over the coordinates.
  double largest_ = -std::numeric_limits<double>::infinity();
  double theta_ = 0;
  double theta_low_ = 0;
};

// The same in the metric sum_j x_j^2 / eta_j: x_j = max(s_j - theta eta_j, 0). Coordinates whose
// s_j / eta_j is above theta stay positive.
class ScaledSimplexShift {
 public:
  // For s_j = size(v_j). radius > 0; etas as relative_steps makes them.
  template <class Size>
  ScaledSimplexShift(std::span<const double> v, std::span<const double> etas, double radius,
                     const Size& size) {
    std::vector<Coordinate> all;
    for (std::size_t j = 0; j < v.size(); ++j)
      if (std::isfinite(v[j])) all.push_back({size(v[j]), etas[j]});
    find(all, radius);
  }

  // x_j from s_j and eta_j.
  double operator()(double s_j, double eta_j) const {
    return positive_part(Coordinate{s_j, eta_j}.above(last_) + rise_ * eta_j);
  }

 private:
  struct Coordinate {
    double s = 0, eta = 1;

    // x at the theta at which `other` becomes 0: s - (other.s / other.eta) eta, to two roundings.
    double above(const Coordinate& other) const {
      return difference_of_products(s, other.eta, other.s, eta) / other.eta;
    }
  };

  // Fills theta from these, which it reorders.
  void find(std::span<Coordinate> all, double radius);

  // theta is the quotient s / eta of the last coordinate that stays positive, less a rise >= 0.
  // Measured from there all positive x_j are sums of two terms of which none is negative or above
  // radius: nothing cancels, however large the s_j and however far apart the etas.
  Coordinate last_ = {};
  double rise_ = 0;
};

}  // namespace asynprox
