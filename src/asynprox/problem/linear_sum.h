// The finite sum of a linear model: data x loss.
//
//   F(x; xi_i) = w_i phi(s_i z_i'x - mu'x, y_i)      s: row scale, mu: what the data is centred by,
//                                                    w: sample weights over their mean
//
// The rows s_i z_i - mu are never made: a batch costs its nonzeros, and d more where there is a mu.
// With weights, f = sum_i w_i F_i / sum_i w_i, and each sample is still drawn with probability 1/n.
#pragma once

#include <optional>
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

  // The two halves of a gradient: c_i = w_i phi'(s_i z_i'x - mu'x, y_i), then
  // g += sum_i c_i (s_i z_i - mu).
  void scalars(std::span<const double> x, Samples samples, std::span<double> c) const;
  void scatter(Samples samples, std::span<const double> c, std::span<double> g) const;

  // Only of the rows: what is centred touches every coordinate.
  bool has_keys() const { return center_.empty(); }
  void add_keys(Samples samples, KeySet& keys) const { rows_.add_keys(samples, keys); }
  double mean_keys() const;
  void localize(Samples samples, KeySet& keys, LocalRows& batch) const {
    batch.assign(rows_, samples, keys);
  }
  void add_local_gradient(const LocalRows& batch, std::span<const double> x, Samples samples,
                          std::span<const double> weights, std::span<double> g) const;

  // Of a loss without a curvature these are local, if it has that, or there are none.
  std::optional<Vector> sample_lipschitz() const;
  bool has_curvature() const { return loss_.curvature() || loss_.has_local_curvature(); }
  bool curvature_is_local() const { return !loss_.curvature(); }
  void add_curvature(std::span<const double> v, Samples samples, std::span<double> out) const;
  double squared_gradient_norms(std::span<const double> x, Samples samples) const;
  bool convex() const { return loss_.convex(); }
  bool nonnegative() const { return loss_.nonnegative(); }

 private:
  // mu'x, which is the same for every sample.
  double shift_at(std::span<const double> x) const { return dot(center_, x); }
  // u_i = s_i z_i'x - shift and y_i of a batch.
  void outputs(std::span<const double> x, Samples samples, double shift, std::span<double> u) const;
  void gather_labels(Samples samples, std::span<double> y) const;
  // In place, from z_i'x to w_i phi'(s_i z_i'x - shift, y_i).
  void derivatives_of(Samples samples, double shift, std::span<double> u) const;
  // In place: c_i *= w_i.
  void weigh(Samples samples, std::span<double> c) const;
  // In place: c_i *= s_i.
  void scale_by_rows(Samples samples, std::span<double> c) const;
  // g += sum_i c_i s_i z_i, in place of c; returns sum_i c_i, for take_off_center().
  double scatter_scaled(Samples samples, std::span<double> c, std::span<double> g) const;
  // g -= total mu.
  void take_off_center(double total, std::span<double> g) const;
  // |s_i z_i - mu|^2 of every sample.
  Vector squared_lengths() const;
  // g += factor * sum_i w_i (z~_i'x) z~_i, z~_i = s_i z_i - mu, with weights of the caller's too.
  void add_products(double factor, std::span<const double> x, Samples samples,
                    std::span<const double> weights, std::span<double> g) const;
  double weighted_total(Samples samples, std::span<const double> values) const;

  Rows rows_;
  Vector labels_;
  Vector row_scale_;  // empty: all one
  Vector center_;     // mu; empty: zeros
  bool scales_can_be_squared_ = true;
  Vector sample_weights_;  // with mean one; empty: all one
  AnyLoss loss_;
};
static_assert(FiniteSum<LinearSum> && HasLocalGradient<LinearSum>);

}  // namespace asynprox
