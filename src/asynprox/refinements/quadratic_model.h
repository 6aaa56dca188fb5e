// A quadratic model of f around x, with h as it is, on a few coordinates of both:
//
//   m(z) = g'(z - x) + (z - x)'H (z - x) / 2 + h(z) - h(x)       h separable, H positive definite
//
// Its minimum by two kinds of moves in turn: sweeps, one coordinate after the other to its own
// minimum, find out which of them rest where h has a kink; the others, on which h is smooth, then
// move together to where the slope vanishes. What comes to a kink on the way stays there, and the
// move is as long as is best.
//
// Sweeps: Friedman, Hastie and Tibshirani (2010), Regularization paths for generalized linear
// models via coordinate descent.
#pragma once

#include <span>

#include "asynprox/linalg/gram.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/regularizers/any_regularizer.h"

namespace asynprox {

struct QuadraticModel {
  const AnyRegularizer& h;
  std::span<const Key> keys;  // the coordinates, which rise
  const Vector& x;            // of all coordinates, as the next
  const Vector& gradient;
  const Gram& hessian;  // at the keys
};

struct QuadraticMinimum {
  Vector z;             // at the keys
  double value = 0;     // m(z)
  double distance = 0;  // (z - x)'H (z - x) / 2: at the minimum m is at least as much below 0
  bool found = false;   // a last sweep moved little; false: this is only on the way
};

struct QuadraticEffort {
  double work_max = 1e12;      // multiplications, about
  double moves_little = 1e-3;  // a sweep that moves less than this share of the longest ends it
};

// Goes down from x.
QuadraticMinimum minimize(const QuadraticModel& model, const QuadraticEffort& effort = {});

}  // namespace asynprox
