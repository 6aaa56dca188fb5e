// How bold the automatic steps of a run may be, judged by what evaluations find: longer as long as
// the objective falls; where it rose, back to the best model, and shorter.
//
//   eta = boldness * eta_0
//   fell:      boldness <- min(grow * boldness, cap),  cap <- 1.2 cap     grow: 2 before the first
//                                                                         rise, then 1.5
//   rose:      cap <- 0.8 boldness,  boldness <- max(boldness / 2, 1/4),  and x <- the best so far
//   overflow:  the same, with boldness <- boldness / 4
//
// Safe steps are made of bounds on the curvature everywhere; near the optimum it is often less.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace asynprox {

class BoldDriver {
 public:
  double boldness() const { return boldness_; }

  // The objective of the newest model. False: go back to the best.
  bool judge(double objective) {
    if (!std::isfinite(objective)) return overflow();
    if (!begun_ || objective <= best_ + rounding * std::abs(best_)) {
      if (begun_) {
        boldness_ = std::min((rose_ ? 1.5 : 2.0) * boldness_, cap_);
        cap_ *= 1.2;
      }
      begun_ = true;
      best_ = objective;
      return true;
    }
    cap_ = 0.8 * boldness_;
    // An overflow may have made it less than that: a rise does not make it more.
    boldness_ = std::min(boldness_, std::max(boldness_ / 2, 0.25));
    return back();
  }

  // A step left the finite numbers.
  bool overflow() {
    cap_ = 0.8 * boldness_;
    boldness_ /= 4;
    ++overflows_;
    return back();
  }

  // It happened too often: the problem is not one for shorter steps.
  bool hopeless() const { return overflows_ > overflows_max; }

 private:
  static constexpr double rounding = 1e-14;
  static constexpr int overflows_max = 20;

  bool back() {
    rose_ = true;
    cap_ = std::max(cap_, boldness_);
    return false;
  }

  double boldness_ = 1;
  double cap_ = std::numeric_limits<double>::infinity();
  double best_ = 0;
  bool begun_ = false, rose_ = false;
  int overflows_ = 0;
};

}  // namespace asynprox
