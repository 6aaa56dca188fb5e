// Coordinates in which a linear model's f is about as curved in every direction:
//
//   b' = b + m'x                        m: the means of the columns, where there is an intercept b
//   |v|^2 = sum_j v_j^2 / s_j           1 / s_j: the curvature of f along coordinate j, there
//
// h does not see the intercept, so the shift changes neither h nor its prox. It is the same as
// centring the columns, at the cost of one dot product per model instead of a dense matrix. Where h
// has no prox in such a metric (prox_scaled in regularizer.h) all s_j but the intercepts' are
// equal.
#pragma once

#include <span>

#include "asynprox/linalg/vectors.h"
#include "asynprox/problem/problem.h"

namespace asynprox {

class DescentMetric {
 public:
  // Costs two passes over the data where f has column moments; without them nothing is shifted or
  // scaled.
  explicit DescentMetric(const Problem& problem);

  const Vector& scales() const { return scales_; }

  // 1 over the mean curvature of f in an output; 0 where it is not known.
  double unit() const { return unit_; }

  // By what factor columns differ in size (the root of the curvature) though their s_j are equal; 1
  // where every s_j is as it should be. FISTA needs about as many steps as that.
  double columns_apart() const { return columns_apart_; }

  // In place: a model (x, b) to (x, b') and back.
  void shift(std::span<double> x) const { add_to_intercepts(x, 1); }
  void unshift(std::span<double> x) const { add_to_intercepts(x, -1); }

  // In place: the gradient in (x, b) to the gradient in (x, b'). Its inverse is never needed.
  void shift_gradient(std::span<double> gradient) const;

  // sum_j v_j^2 / s_j
  double squared_norm(std::span<const double> v) const;

  // In place: v <- prox of h with step eta s_j in coordinate j.
  void prox(const AnyRegularizer& h, std::span<double> v, double eta);

 private:
  void add_to_intercepts(std::span<double> x, double factor) const;

  std::size_t outputs_;
  Vector means_;   // per coefficient; empty: no shift
  Vector scales_;  // per coordinate
  bool even_;      // all s_j that h sees are the same
  double columns_apart_ = 1, unit_ = 0;
  Vector etas_;
};

}  // namespace asynprox
