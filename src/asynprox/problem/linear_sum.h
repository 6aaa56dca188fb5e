// The finite sum of a linear model: data x loss.
//
//   F(x; xi_i) = w_i phi(s_i z_i'x, y_i)       s: row scale, w: sample weights over their mean
//
// With weights, f = sum_i w_i F_i / sum_i w_i, and each sample is still drawn with probability 1/n.
#pragma once

#include <span>

#include "asynprox/data/dataset.h"
#include "asynprox/losses/any_loss.h"
#include "asynprox/problem/finite_sum.h"

namespace asynprox {

class LinearSum {
 public:
  // `labels` as the loss takes them (-1 and +1 for margin losses), which need not be data.labels.
  // The rows are shared with `data`, not copied.
  LinearSum(const Dataset& data, Vector labels, AnyLoss loss);

  std::size_t dimension() const { return rows_.num_columns(); }
  std::size_t num_samples() const { return rows_.num_rows(); }

  double value(std::span<const double> x, Samples samples) const;
  void add_gradient(std::span<const double> x, Samples samples, std::span<const double> weights,
                    std::span<double> g) const;
  double value_and_gradient(std::span<const double> x, Samples samples, std::span<double> g) const;

  // The two halves of a gradient: c_i = w_i s_i phi'(s_i z_i'x, y_i), then g += sum_i c_i z_i.
  void scalars(std::span<const double> x, Samples samples, std::span<double> c) const;
  void scatter(Samples samples, std::span<const double> c, std::span<double> g) const {
    rows_.scatter(samples, c, g);
  }

  void add_keys(Samples samples, KeySet& keys) const { rows_.add_keys(samples, keys); }
  double mean_keys() const;

  Vector sample_lipschitz() const;
  void add_curvature(std::span<const double> v, Samples samples, std::span<double> out) const;
  double squared_gradient_norms(std::span<const double> x, Samples samples) const;
  bool convex() const { return loss_.convex(); }
  bool nonnegative() const { return loss_.nonnegative(); }

 private:
  // u_i = s_i z_i'x and y_i of a batch.
  void outputs(std::span<const double> x, Samples samples, std::span<double> u) const;
  void gather_labels(Samples samples, std::span<double> y) const;
  // In place: c_i *= s_i w_i.
  void scale_scalars(Samples samples, std::span<double> c) const;
  // g += factor * sum_i w_i s_i^2 (z_i'x) z_i, with weights of the caller's too, if there are any.
  void add_products(double factor, std::span<const double> x, Samples samples,
                    std::span<const double> weights, std::span<double> g) const;
  double weighted_total(Samples samples, std::span<const double> values) const;

  Rows rows_;
  Vector labels_;
  Vector row_scale_;       // empty: all one
  Vector sample_weights_;  // with mean one; empty: all one
  AnyLoss loss_;
};
static_assert(FiniteSum<LinearSum> && HasKeys<LinearSum>);

}  // namespace asynprox
