// The projection of s onto {x >= 0, sum x = radius} lowers all coordinates by one amount and stops
// at zero: x_j = max(s_j - theta, 0). This is that theta, found in expected linear time.
//
// Duchi, Shalev-Shwartz, Singer and Chandra (2008), Efficient projections onto the l1-ball for
// learning in high dimensions.
#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "asynprox/linalg/vectors.h"
#include "asynprox/regularizers/nonneg.h"

namespace asynprox {

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

}  // namespace asynprox
