// The corollary of the paper's Theorem 1: a constant step, and how many of them it takes at least.
//
//   eta = sqrt(gap N / (2 K L sigma^2)),     K >= 128 gap N L (T + 1)^4 / sigma^2
//
// gap = Psi(x_0) - Psi*. From the least K on, eta <= 1 / (16 L (T + 1)^2), so that both conditions
// of the theorem hold.
//
// Zhu, Niu and Li (2018), Asynchronous stochastic proximal methods for nonconvex nonsmooth
// optimization.
#pragma once

#include <cmath>

namespace asynprox {

struct CorollaryTerms {
  double gap = 0;            // Psi(x_0) - Psi*, or more
  double variance = 0;       // sigma^2
  double lipschitz = 0;      // L, or more
  double batch_size = 1;     // N
  double staleness_max = 0;  // T
};

inline double corollary_step(const CorollaryTerms& terms, double K) {
  return std::sqrt(terms.gap * terms.batch_size / (2 * K * terms.lipschitz * terms.variance));
}

// None where x_0 is optimal already; without noise the corollary's step grows with the gap alone.
inline double corollary_steps_least(const CorollaryTerms& terms) {
  if (terms.gap <= 0) return 0;
  return 128 * terms.gap * terms.batch_size * terms.lipschitz / terms.variance *
         std::pow(terms.staleness_max + 1, 4);
}

// The step at the least K.
inline double corollary_step_max(const CorollaryTerms& terms) {
  return 1 / (16 * terms.lipschitz * std::pow(terms.staleness_max + 1, 2));
}

}  // namespace asynprox
