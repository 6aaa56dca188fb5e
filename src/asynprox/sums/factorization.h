// Ratings by factors: each user and each item has a bias and r numbers.
//
//   F(x; xi_i) = w_i phi(b0 + b_u + b_v + U_u'V_v, y_i)
//
// Sample i: user u gave item v the rating y_i. w: sample weights over their mean.
//
// x lies feature by feature, the users and then the items, the bias and the r factors of one side
// by side: b_j = x[j (r + 1)]. So a gradient touches 2 (r + 1) coordinates, and
// group-lasso:size=r+1 takes users and items in or out as a whole. Nonconvex, whatever phi is.
//
// b0 is a constant, the best single number: argmin_b sum_i w_i phi(b, y_i) (squared: the mean
// rating; the mean also where phi is not convex). h never sees it.
//
// Koren, Bell and Volinsky (2009), Matrix factorization techniques for recommender systems.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "asynprox/data/dataset.h"
#include "asynprox/losses/any_loss.h"
#include "asynprox/sums/facets/curvature.h"
#include "asynprox/sums/facets/sparse_gradient.h"
#include "asynprox/sums/finite_sum.h"

namespace asynprox {

// The score of each row at x: b0 + b_u + b_v + U_u'V_v, and without what is not there where a row
// has only a user, only an item, or neither.
struct FactorScores {
  RatingsShape shape = {};
  std::size_t rank = 0;
  double offset = 0;  // b0

  std::size_t dimension() const { return (shape.num_users + shape.num_items) * (rank + 1); }
  Vector scores(const Rows& rows, std::span<const double> x) const;
};

class Factorization {
 public:
  // `ratings` as read_ratings() makes them; phi is a loss of one output, of any number or of none
  // but -1 and +1, as data.labels has them.
  Factorization(const Dataset& ratings, AnyLoss loss, std::size_t rank);

  std::size_t dimension() const { return model_.dimension(); }
  std::size_t num_samples() const { return pairs_.size(); }
  const FactorScores& model() const { return model_; }

  double value(std::span<const double> x, Samples samples) const;
  void add_gradient(std::span<const double> x, Samples samples, std::span<const double> weights,
                    std::span<double> g) const;
  double value_and_gradient(std::span<const double> x, Samples samples, std::span<double> g) const;

  void add_keys(Samples samples, KeySet& keys) const;
  double mean_keys() const { return 2 * static_cast<double>(model_.rank + 1); }

  // Biases 0 and small random factors: at zero factors the gradient in them is zero.
  Vector start(std::uint64_t seed) const;

  // How curved F is where factors are as long as they have to be to make up the ratings' spread s
  // around b0: |U_u|^2 = |V_v|^2 = s, and all in one direction. Elsewhere it may be more.
  //
  //   L_i = 2 c w_i (1 + s),   B_i = c w_i (1 + s) (e_u + e_v)(e_u + e_v)' in the biases
  //   c = sup phi''
  bool curvature_is_local() const { return true; }
  Vector sample_lipschitz() const;
  void add_curvature(std::span<const double> v, Samples samples, std::span<double> out) const;

  bool nonnegative() const { return loss_.nonnegative(); }

 private:
  // Where the bias of a sample's user and item stand in x.
  struct Pair {
    Key user = 0;
    Key item = 0;
  };

  double score(std::span<const double> x, Pair pair) const;
  void scores(std::span<const double> x, Samples samples, std::span<double> u) const;
  void scatter(std::span<const double> x, Samples samples, std::span<const double> c,
               std::span<double> g) const;
  double weight(SampleIndex i) const { return weights_.empty() ? 1 : weights_[i]; }
  double best_constant() const;
  double curvature_scale() const { return loss_.curvature().value() * (1 + spread_); }

  AnyLoss loss_;
  FactorScores model_;
  std::vector<Pair> pairs_;
  Vector labels_;
  Vector weights_;     // with mean one; empty: all one
  double spread_ = 0;  // s, the standard deviation of y around b0
};
static_assert(FiniteSum<Factorization> && HasValue<Factorization> &&
              OffersSparseGradient<Factorization> && OffersCurvature<Factorization>);

}  // namespace asynprox
