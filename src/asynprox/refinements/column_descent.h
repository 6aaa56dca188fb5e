// A quadratic model of f around x on the columns of a working set, with h as it is:
//
//   m(z) = g'(z - x) + |R(z - x)|^2 / 2 + h(z) - h(x)      R(p)_i = sqrt(w_i) sum_j (a_ij - o_j) p_j
//
// h is separable, and w_i are second derivatives over n. o_j is what is taken from column j: its mean
// by the weights w where there is an intercept, which eliminates that; the columns stay sparse.
//
// Sweeps of coordinate descent find out which coordinates rest at a kink of h, and leave those out
// for a while. Once hardly any coordinate comes to rest or leaves it, conjugate gradients move all
// the others together: along directions in which f is nearly flat, sweeps alone are slow.
//
// Friedman, Hastie and Tibshirani (2010), Regularization paths for generalized linear models via
// coordinate descent; Yuan, Ho and Lin (2012), An improved GLMNET for L1-regularized logistic
// regression; conjugate gradients: Hestenes and Stiefel (1952), Methods of conjugate gradients for
// solving linear systems.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "asynprox/linalg/column_kernels.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/regularizers/any_regularizer.h"

namespace asynprox {

class ColumnDescent {
 public:
  // Column k is about coordinate keys[k]. Its numbers are borrowed.
  struct Quadratic {
    const AnyRegularizer& h;
    std::span<const Key> keys;
    std::span<const ColumnSpan> columns;
    Vector x, gradient;   // at the keys; the gradient with o_j times the intercept's taken away
    Vector offsets;       // o_j; where means are wanted, anything
    bool means = false;   // o_j is to be the weighted mean
    Vector weights;       // w_i, positive
    Vector reaches = {};  // how far each coordinate may move from x; empty: any distance
  };

  struct Effort {
    int sweeps = 8;
    double share = 0.2;               // a sweep that gains no more than this share of all ends it
    bool together = false;            // by conjugate gradients too
    std::function<bool()> stop = {};  // asked now and then: leaves the rest undone
  };

  explicit ColumnDescent(Quadratic quadratic);

  // Weighted means, for the gradient that minimize() is to have.
  const Vector& offsets() const { return q_.offsets; }
  void set_gradient(Vector gradient) { q_.gradient = std::move(gradient); }

  // Goes on from where it is; at first that is x. Returns what the model fell by, at least.
  double minimize(const Effort& effort);

  const Vector& z() const { return z_; }
  std::int64_t entries_read() const { return entries_read_; }

 private:
  // A vector R(p): r + shift sqrt(w), with total = sum_i sqrt(w_i) R_i.
  struct Residual {
    std::vector<float> r;
    double shift = 0, total = 0;
  };

  ColumnSpan scaled(std::size_t k) const;
  double slope(std::size_t k) const;  // of the quadratic, along coordinate k
  double product(std::size_t k, const Residual& residual) const;
  void add(std::size_t k, double move, Residual& residual) const;
  double prox(std::size_t k, double v) const;
  double within_reach(std::size_t k, double z) const;
  bool moves(std::size_t k, double slope) const;
  double sweep(std::size_t& turned);
  void gather_smooth();
  double move_together();
  double take(const Vector& moves, const Residual& along);
  double squares(const Residual& a, const Residual& b) const;

  Quadratic q_;
  ColumnKernels kernels_;
  std::vector<std::uint64_t> begin_;
  std::unique_ptr<float[]> scaled_;  // sqrt(w_i) a_ij, without offsets
  std::vector<float> roots_;         // sqrt(w_i)
  double weight_ = 0;                // sum_i w_i
  Vector weighted_;                  // sum_i w_i a_ij, without offsets
  Vector curvatures_;                // of m along each coordinate, but for h
  Vector z_;
  Residual residual_;  // at z - x
  std::vector<std::uint32_t> active_;
  mutable std::int64_t entries_read_ = 0;

  // Of conjugate gradients: those on smooth pieces of h, what h pulls there, and its curvature.
  std::vector<std::uint32_t> smooth_;
  Vector force_, bends_;
};

}  // namespace asynprox
