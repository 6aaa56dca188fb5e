// The finite sum of a linear model: data x loss.
//
//   F(x; xi_i) = w_i phi(u_i, y_i)      u_i = a_i'x + b (design.h, which keeps the data implicit)
//                                       w: sample weights over their mean
//
// With weights, f = sum_i w_i F_i / sum_i w_i, and each sample is still drawn with probability 1/n.
// For a loss of several outputs u_i, and every c_i below, has C numbers, side by side.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "asynprox/data/dataset.h"
#include "asynprox/losses/any_loss.h"
#include "asynprox/sums/column_moments.h"
#include "asynprox/sums/design.h"
#include "asynprox/sums/facets/class_curvature.h"
#include "asynprox/sums/facets/curvature.h"
#include "asynprox/sums/facets/data_columns.h"
#include "asynprox/sums/facets/dual_loss.h"
#include "asynprox/sums/facets/local_gradient.h"
#include "asynprox/sums/facets/stored_columns.h"
#include "asynprox/sums/facets/weighted_gram.h"
#include "asynprox/sums/finite_sum.h"

namespace asynprox {

struct LinearSumOptions {
  // C: one, or for a loss that tells classes apart their number.
  std::size_t outputs = 1;
  // b is the last coordinate (C of them), instead of 0.
  bool intercept = false;
};

class LinearSum {
 public:
  // `labels` as the loss takes them (-1 and +1 for margin losses), which need not be data.labels.
  // The rows are shared with `data`, not copied.
  LinearSum(const Dataset& data, Vector labels, AnyLoss loss, const LinearSumOptions& options = {});

  std::size_t dimension() const { return design_.dimension(); }
  std::size_t num_samples() const { return design_.num_rows(); }
  std::size_t outputs() const { return design_.outputs(); }
  std::size_t num_free() const { return design_.num_free(); }

  double value(std::span<const double> x, Samples samples) const;
  void add_gradient(std::span<const double> x, Samples samples, std::span<const double> weights,
                    std::span<double> g) const;
  // Leaves u_i and c_i (see below) where there is room for them.
  double value_and_gradient(std::span<const double> x, Samples samples, std::span<double> g,
                            std::span<double> outputs_kept = {},
                            std::span<double> scalars_kept = {}) const;

  // The two halves of a gradient: c_i = w_i phi'(u_i, y_i), then g += sum_i c_i (a_i, 1).
  void scalars(std::span<const double> x, Samples samples, std::span<double> c) const;
  void scatter(Samples samples, std::span<const double> c, std::span<double> g) const;

  // The same by way of the outputs u_i.
  void outputs_at(std::span<const double> x, Samples samples, std::span<double> u) const;
  double value_of_outputs(Samples samples, std::span<const double> u) const;
  void scalars_of_outputs(Samples samples, std::span<const double> u, std::span<double> c) const;

  bool curvatures_of_scalars(Samples samples, std::span<const double> c,
                             std::span<double> out) const;

  bool has_keys() const { return design_.has_keys(); }
  void add_keys(Samples samples, KeySet& keys) const { design_.add_keys(samples, keys); }
  double mean_keys() const { return design_.mean_keys(); }
  bool has_local_gradient() const { return outputs() == 1 && has_keys(); }
  void localize(Samples samples, KeySet& keys, LocalRows& batch) const {
    design_.localize(samples, keys, batch);
  }
  void add_local_gradient(const LocalRows& batch, std::span<const double> x, Samples samples,
                          std::span<const double> weights, std::span<double> g) const;
  void local_scalars(const LocalRows& batch, std::span<const double> x, Samples samples,
                     std::span<double> c) const;
  void local_scatter(const LocalRows& batch, Samples samples, std::span<const double> c,
                     std::span<double> g) const;

  // Of a loss without a curvature these are local, if it has that, or there are none.
  std::optional<Vector> sample_lipschitz() const;
  // For scales, see scaling.h: the diagonal of the mean of all B_i, in which long rows count less,
  // and L_i where coordinate j is measured in units of 1 / sqrt(scales_j).
  std::optional<Vector> curvature_diagonal() const;
  // Weighted by each sample's bound on its curvature.
  ColumnMoments column_moments() const;
  bool ignores_common_shift() const { return loss_.ignores_common_shift(); }
  void centered_scatter(Samples samples, std::span<const double> c, std::span<const double> means,
                        std::span<double> g) const {
    design_.centered_scatter(samples, c, means, g);
  }
  bool has_gram() const {
    return design_.has_gram() && (outputs() == 1 || loss_.has_second_derivative());
  }
  Gram gram(Samples samples, std::span<const double> weights, std::span<const Key> keys) const {
    return design_.gram(samples, weights, keys);
  }
  bool has_class_curvature() const { return loss_.class_curvature(); }
  void class_curvature(Samples samples, std::span<const double> c, std::span<double> p,
                       std::span<double> w) const;
  SparseColumns stored_columns(std::span<const Key> features,
                               std::span<const std::uint32_t> lengths) const {
    return design_.stored_columns(features, lengths);
  }
  std::vector<std::uint32_t> column_lengths() const { return design_.column_lengths(); }
  std::span<const double> column_offsets() const { return design_.column_offsets(); }
  std::optional<Vector> scaled_sample_lipschitz(std::span<const double> scales) const;
  bool has_curvature() const { return loss_.curvature() || loss_.has_local_curvature(); }
  bool curvature_is_local() const { return !loss_.curvature(); }
  void add_curvature(std::span<const double> v, Samples samples, std::span<double> out) const;
  double squared_gradient_norms(std::span<const double> x, Samples samples) const;
  bool convex() const { return loss_.convex(); }

  // For certificates: see facets/dual_loss.h and duality_gap.h. All n outputs are kept for a while where
  // an intercept is looked for.
  bool has_conjugate() const { return loss_.has_conjugate(); }
  double conjugate_sum(Samples samples, std::span<const double> u, double s) const;
  std::optional<Vector> best_intercept(std::span<const double> x) const;

  bool nonnegative() const { return loss_.nonnegative(); }

 private:
  // Calls work(piece, start) for pieces of the samples whose outputs fit a Scratch.
  template <class Work>
  void for_each_piece(Samples samples, Work work) const;

  void gather_labels(Samples samples, std::span<double> y) const;
  // In place: from u_i to w_i phi'(u_i, y_i).
  void derivatives_of(Samples samples, std::span<double> u) const;
  // In place: c_i *= w_i.
  void weigh(Samples samples, std::span<double> c) const;
  // In place: c_i *= weights_i of the piece that begins at `start`, if there are any weights.
  void multiply(std::span<double> c, std::span<const double> weights, std::size_t start) const;
  // g += factor * sum_i w_i (a_i'x) a_i, with weights of the caller's too.
  void add_products(double factor, std::span<const double> x, Samples samples,
                    std::span<const double> weights, std::span<double> g) const;
  double weighted_total(Samples samples, std::span<const double> values) const;

  // |a_i|^2
  const Vector& squared_lengths() const;
  // In place: from |a_i|^2 to a bound on the sample's curvature.
  void curvatures_of(Vector& squared_lengths) const;

  Design design_;
  Vector labels_;
  Vector sample_weights_;  // with mean one; empty: all one
  AnyLoss loss_;

  // Found when they are first asked for; copies share them.
  struct Lengths {
    std::once_flag found;
    Vector squares;
  };
  std::shared_ptr<Lengths> lengths_ = std::make_shared<Lengths>();
  struct Moments {
    std::once_flag found;
    ColumnMoments moments;
  };
  std::shared_ptr<Moments> moments_ = std::make_shared<Moments>();
};
static_assert(FiniteSum<LinearSum> && HasValue<LinearSum> && OffersLinearPredictor<LinearSum> &&
              OffersLocalGradient<LinearSum> && OffersDualLoss<LinearSum>);

}  // namespace asynprox
