// How bold the automatic steps of a run may be, judged by what evaluations find: longer as long as
// the objective falls; where it rose, back to the best model, and shorter or less noisy.
//
//   eta = boldness * eta_0
//   fell:      boldness <- min(grow * boldness, cap),  cap <- 1.2 cap
//   rose:      cap <- 0.8 boldness,  boldness <- max(boldness / 2, least),  x <- the best so far
//   overflow:  the same, with boldness <- boldness / 4; so for an objective far above the first one
//
// cap is the upper limit of boldness. grow is 2 before the first rise, then less. Safe steps are made
// of bounds on the curvature everywhere; near the optimum it is often less.
//
// A method with noise that does not vanish rises near the optimum whatever the step. Where batches
// can become larger and the rise is not a large one, that is the cure:
//
//   noise:     boldness <- 0.7 boldness,  cap <- infinity,  x <- the best so far, a larger batch
//
// Battiti (1989), Accelerated backpropagation learning: two optimization methods, which calls it
// the bold driver; Vogl, Mangis, Rigler, Zink and Alkon (1988), Accelerating the convergence of the
// back-propagation method. Larger batches against noise: Byrd, Chin, Nocedal and Wu (2012), Sample
// size selection in optimization methods for machine learning.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "asynprox/base/fields.h"

namespace asynprox {

struct BoldRules {
  double grow = 1.5;  // after the first rise
  double least = 0.25;
};

enum class Judgement {
  fell,
  rose,   // go back to the best
  noise,  // the same, and take larger batches
};

class BoldDriver {
 public:
  explicit BoldDriver(const BoldRules& rules = {}) : rules_(rules) {}

  double boldness() const { return boldness_; }

  // The objective of the newest model; can batches become larger?
  Judgement judge(double objective, bool may_enlarge = false) {
    if (!std::isfinite(objective)) return overflow();
    if (!begun_) first_ = best_ = objective;
    if (objective <= best_ + rounding * std::abs(best_)) return fall(objective);
    rose_ = true;
    if (may_enlarge && objective - best_ < std::abs(best_) + 0.1 * std::abs(first_)) {
      boldness_ *= 0.7;
      cap_ = std::numeric_limits<double>::infinity();
      return Judgement::noise;
    }
    // Steps that lead far above both the best model and the first are far too long, whatever bounds
    // on the curvature say.
    const double size = std::abs(best_) + std::abs(first_);
    if (size > 0 && objective - best_ > far_above * size) return overflow();
    cap_ = 0.8 * boldness_;
    // An overflow may have made it less than that: a rise does not make it more.
    boldness_ = std::min(boldness_, std::max(boldness_ / 2, rules_.least));
    cap_ = std::max(cap_, boldness_);
    return Judgement::rose;
  }

  // A step left the finite numbers.
  Judgement overflow() {
    rose_ = true;
    cap_ = 0.8 * boldness_;
    boldness_ /= 4;
    ++overflows_;
    return Judgement::rose;
  }

  // It happened too often: the problem is not one for shorter steps.
  bool hopeless() const { return overflows_ > overflows_max; }

  template <IsA<BoldDriver> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    visit("grow", part.rules_.grow);
    visit("least", part.rules_.least);
    visit("boldness", part.boldness_);
    visit("cap", part.cap_);
    visit("first", part.first_);
    visit("best", part.best_);
    visit("begun", part.begun_);
    visit("rose", part.rose_);
    visit("overflows", part.overflows_);
  }

 private:
  static constexpr double rounding = 1e-14;
  static constexpr double far_above = 10;
  static constexpr int overflows_max = 20;

  Judgement fall(double objective) {
    if (begun_) {
      boldness_ = std::min((rose_ ? rules_.grow : 2.0) * boldness_, cap_);
      cap_ *= 1.2;
    }
    begun_ = true;
    best_ = objective;
    return Judgement::fell;
  }

  BoldRules rules_;
  double boldness_ = 1;
  double cap_ = std::numeric_limits<double>::infinity();
  double first_ = 0, best_ = 0;
  bool begun_ = false, rose_ = false;
  int overflows_ = 0;
};

}  // namespace asynprox
