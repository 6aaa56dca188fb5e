// The minimum of f + h on some columns by proximal points, each of which is found by Newton's method
// in the space of outputs: for fewer samples than columns, where sweeps over coordinates and conjugate
// gradients on them hardly advance, because the model nearly interpolates the data.
//
//   (x+, u+) = argmin F(u) + h(x) + |x - x_k|_D^2 / (2 sigma) + |u - u_k|^2 / (2 tau)     where u = A x
//
// The dual of each is concave and smooth, also where the losses are flat in part. It has one number
// per sample, y:
//
//   gradient  A x(y) - u(y)       x(y) = prox of h by sigma / D at x_k - (sigma / D) A'y
//                                 u(y) = prox of F by tau at u_k + tau y    (outputs_prox.h)
//   Hessian  -(A S A' + T)        S = sigma / D times the slope of the prox, T = tau / (1 + tau F''/n)
//
// sigma and tau grow from point to point, so that few are needed. An intercept is one more column of
// A, of ones, of which h knows nothing.
//
// Rockafellar (1976), Monotone operators and the proximal point algorithm; Li, Sun and Toh (2018), A highly
// efficient semismooth Newton augmented Lagrangian method for solving Lasso problems.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "asynprox/linalg/column_kernels.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/problem/problem.h"
#include "asynprox/refinements/outputs_prox.h"

namespace asynprox {

class ProximalPoint {
 public:
  // Column k is about coordinate keys[k]; all is borrowed. The gradient is f's at x, exactly; x and
  // outputs belong together.
  struct Start {
    const Problem& problem;
    std::span<const Key> keys;
    std::span<const ColumnSpan> columns;
    Vector x, gradient;  // at the keys
    bool intercept = false;
    double b = 0, slope = 0;  // the intercept, and the gradient along it
    Vector outputs, scalars;
  };

  struct Effort {
    double distance = 0;   // sigma at the first point; 0: a short one
    double eta = 1;        // of the proximal step by whose length violations are measured
    double violation = 0;  // a point where the largest is at most this is the last
    int points = 30;
    std::int64_t work = std::numeric_limits<std::int64_t>::max();  // after this much, no more steps
    std::function<bool()> stop = {};  // asked now and then: leaves the rest undone
  };

  explicit ProximalPoint(Start start);

  struct Found {
    bool better = false;  // by the objective, or where that is rounding by the largest violation
    double fell = 0;      // the objective
    double distance = 0;  // sigma, for a search that goes on from here
  };

  // Goes to the best point found.
  Found minimize(const Effort& effort);

  const Vector& x() const { return best_x_; }
  double b() const { return best_b_; }
  std::int64_t work() const { return work_; }  // multiplications, about

 private:
  // The dual at y, and what it is made of.
  struct Dual {
    Vector y, slopes;  // A'y at the columns
    double slope_of_b = 0;
    Vector x, u, residual;  // x(y), u(y), A x(y) - u(y)
    double b = 0;
    Vector outputs;     // A x(y)
    double h = 0;       // h(x)
    double value = 0;   // of the dual
    Vector curvatures;  // F''
    bool valid = false;
  };

  Dual dual_at(Vector y, const Vector& u_before) const;
  Vector outputs_of(const Vector& x, double b) const;
  Vector slopes_of_prox(const Dual& at) const;
  double moved(const Dual& at) const;
  Vector direction(const Dual& at, double accuracy);
  double missing(const Dual& at) const;
  bool climbed(const Dual& from, const Dual& to, double expected) const;
  // Maximises the dual. False: it came to no end.
  bool find_point(Dual& at, const std::function<bool()>& stop);
  void go_to(const Dual& at, double eta);
  double violation(double eta) const;  // at x_k, the largest

  Start s_;
  double n_;
  Vector multipliers_;  // y where it starts
  Vector metric_;       // D
  double metric_of_b_ = 1;
  double sigma_ = 0, tau_ = 0;
  Vector x_, u_;  // x_k and u_k
  double b_ = 0;
  Vector best_x_;
  double best_b_ = 0, best_ = 0, best_violation_ = 0;
  bool better_ = false;
  double violation_ = 0;  // at x_k
  int newton_steps_ = 0;
  mutable std::int64_t work_ = 0;
};

}  // namespace asynprox
