// A small neural network as a finite sum.
//
//   F(x; xi_i) = w_i phi(outputs of the network at a_i, y_i)
//
// a_i: the row as the data scales and centres it. w: sample weights over their mean.
//
// phi is multinomial (softmax and cross-entropy; y_i is a class 0, ..., C - 1) or squared.
// Nonconvex. network_shape.h says how the numbers lie in x. A gradient touches all of them, so a
// model is dense; a push costs its samples' nonzeros times the units of the first layer, and a few
// passes over x.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "asynprox/data/dataset.h"
#include "asynprox/losses/any_loss.h"
#include "asynprox/sums/facets/curvature.h"
#include "asynprox/sums/finite_sum.h"
#include "asynprox/sums/network_pass.h"
#include "asynprox/sums/network_shape.h"

namespace asynprox {

// Rows as a network takes them in.
class NetworkInputs {
 public:
  // Columns from num_inputs on are left out.
  NetworkInputs(const Dataset& data, std::size_t num_inputs);

  std::size_t num_samples() const { return rows_.num_rows(); }
  std::span<const double> center() const { return center_; }

  // Calls work(place in `samples`, inputs) for each, scaled, without the centre taken off.
  void for_each(Samples samples,
                const std::function<void(std::size_t, const PickedRows&)>& work) const;

  // Of the inputs, the centre taken off.
  double mean_square_length() const;
  double mean_nonzeros() const;

 private:
  Rows rows_;
  std::size_t num_inputs_;
  Vector row_scale_, column_scale_, center_;  // empty: ones, ones, zeros
};

// The outputs at x of every row, C side by side. Columns that the network has no inputs for are
// left out.
Vector network_outputs(const NetworkShape& shape, std::span<const double> x, const Dataset& data);

class Network {
 public:
  // `labels` as the loss takes them (-1 and +1 for margin losses, 0 to C - 1 for multinomial),
  // which need not be data.labels. The rows are shared with `data`, not copied.
  Network(const Dataset& data, Vector labels, AnyLoss loss, NetworkShape shape);

  const NetworkShape& shape() const { return shape_; }
  std::size_t dimension() const { return dimension_; }
  std::size_t num_samples() const { return inputs_.num_samples(); }

  double value(std::span<const double> x, Samples samples) const;
  void add_gradient(std::span<const double> x, Samples samples, std::span<const double> weights,
                    std::span<double> g) const;
  double value_and_gradient(std::span<const double> x, Samples samples, std::span<double> g) const;

  // A gradient touches everything. A sample's own work is its nonzeros', beside several passes over
  // x for a push: so a batch is chosen that is worth them.
  double mean_keys() const { return inputs_.mean_nonzeros(); }

  Vector start(std::uint64_t seed) const { return shape_.start(mean_square_length_, seed); }

  // How curved F is at the start: by differences of gradients; for a sample by the lengths of its
  // signals,
  //   L_i = c w_i sum_l (1 + |a^{l-1}|^2) prod_{k > l} |W^k|^2,   c = sup phi''
  bool curvature_is_local() const { return true; }
  Vector sample_lipschitz() const;
  void add_curvature(std::span<const double> v, Samples samples, std::span<double> out) const;

  bool nonnegative() const { return loss_.nonnegative(); }

 private:
  double weight(SampleIndex i) const { return weights_.empty() ? 1 : weights_[i]; }
  double loss_value(std::span<const double> u, SampleIndex i) const;
  // In place, from u to the derivatives of w_i phi(u, y_i).
  void differentiate(std::span<double> u, SampleIndex i) const;

  NetworkInputs inputs_;
  Vector labels_;
  Vector weights_;  // with mean one; empty: all one
  AnyLoss loss_;
  NetworkShape shape_;
  std::size_t dimension_;
  double mean_square_length_;
};
static_assert(FiniteSum<Network> && HasValue<Network> && OffersCurvature<Network>);

}  // namespace asynprox
