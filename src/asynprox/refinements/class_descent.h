// A quadratic model of f around x for a model of several classes, at some coordinates (feature j,
// class c), with h as it is:
//
//   m(z) = g'(z - x) + (1/2n) sum_i w_i V_i'(diag(p_i) - p_i p_i') V_i + h(z) - h(x)
//   V_ic = sum_j a_ij (z_jc - x_jc)
//
// The Hessian is kept whole: s_i = p_i'V_i is kept beside V, so that a slope costs the entries of one
// column, however many classes there are. Sweeps go through the coordinates class by class, for the
// arrays of a class stay in the cache; where h takes the coefficients of a feature together, these
// take a step in the metric 2 diag(H), which is no less than H: each row of diag(p) - p p' sums to 0.
//
// Coordinates at rest at a kink of h are left out for a while, and once hardly any comes to rest or
// leaves it, conjugate gradients move all the others together (class_descent_together.cc).
//
// Friedman, Hastie and Tibshirani (2010), Regularization paths for generalized linear models via
// coordinate descent (there the Hessian is diag(p (1 - p)) alone, a class at a time); Simon,
// Friedman and Hastie (2013), A blockwise descent algorithm for group-penalized multiresponse and
// multinomial regression; Hestenes and Stiefel (1952), Methods of conjugate gradients for solving
// linear systems.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "asynprox/linalg/class_kernels.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/refinements/split_regularizer.h"

namespace asynprox {

// F'' of all samples, class by class: number i of class c is [c * num_samples + i].
struct ClassWeights {
  std::size_t num_samples = 0;
  std::vector<float> p;
  std::vector<float> w = {};  // per sample; empty: ones
};

class ClassDescent {
 public:
  // Key k is coordinate keys[k], of class classes[k], with the column columns[k]; all are borrowed.
  struct Quadratic {
    const SplitRegularizer& h;
    std::span<const Key> keys;  // rise; units of h are whole
    std::span<const std::uint32_t> classes;
    std::span<const ColumnSpan> columns;
    const ClassWeights& weights;
    Vector x, gradient;   // at the keys
    Vector reaches = {};  // how far each coordinate may move from x; empty: any distance
  };

  struct Effort {
    int sweeps = 8;
    double share = 0.2;               // a sweep that gains no more than this share of all ends it
    bool together = false;            // by conjugate gradients too
    std::function<bool()> stop = {};  // asked now and then: leaves the rest undone
  };

  explicit ClassDescent(Quadratic quadratic);

  // Goes on from where it is; at first that is x. Returns about what the model fell by.
  double minimize(const Effort& effort);

  const Vector& z() const { return z_; }
  std::int64_t entries_read() const { return entries_read_; }

 private:
  // V and s of a vector at the keys.
  struct Image {
    std::vector<float> v, s;
  };
  // Keys that move together.
  struct Unit {
    std::uint32_t first, count;
  };

  void order_units();
  void measure_curvatures();
  Image zero_image() const;
  const float* of_class(const std::vector<float>& numbers, std::size_t k) const {
    return &numbers[q_.classes[k] * n_];
  }
  double product(std::size_t k, const Image& image) const;
  void add(std::size_t k, double move, Image& image) const;
  double squares(const Image& a, const Image& b) const;  // a'H b
  double slope(std::size_t k) const { return q_.gradient[k] + product(k, image_); }
  double within_reach(std::size_t k, double z) const;

  double sweep(std::size_t& turned);
  double visit(const Unit& unit, bool& moves, std::size_t& turned);
  // The prox of a step from z of these slopes, into target_.
  void find_target(const Unit& unit, double factor);

  double prox(std::size_t k, double v) const;
  void gather_smooth();
  // `useful` becomes false where hardly anything of what conjugate gradients gain is left by those
  // that have to stop.
  double move_together(bool& useful);
  double take(const Vector& moves, const Image& along);

  Quadratic q_;
  ClassKernels kernels_;
  std::size_t n_;
  double scale_;           // 1 / n
  std::vector<float> wp_;  // w p, where there are weights
  Vector curvatures_;      // of the steps: diag(H), or twice that where units are larger
  Vector z_;
  Image image_;  // of z - x
  std::vector<Unit> units_, active_;
  Vector slopes_, target_, etas_;  // of the unit at hand
  mutable std::int64_t entries_read_ = 0;

  // Of conjugate gradients: those on smooth pieces of h, what h pulls there, and its curvature.
  std::vector<std::uint32_t> smooth_;
  Vector force_, bends_;
};

}  // namespace asynprox
