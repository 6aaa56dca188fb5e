// The rows of data as a linear model of C outputs meets them; none of them is ever made.
//
//   a_i  = D s_i z_i - mu        s: row scale, D: column scale, mu: what the data is centred by
//   u_ic = a_i'x_c + b_c         x_c: coefficient c of every feature; b: the intercepts
//
// A vector of the model has the C coefficients of a feature side by side and, where there is an
// intercept, b at its end. A batch costs its nonzeros, C times, and d C more where there is a mu or
// a D. With C = 1 outputs are numbers, one per sample; else C numbers per sample, side by side.
#pragma once

#include <cstddef>
#include <span>

#include "asynprox/data/dataset.h"
#include "asynprox/linalg/gram.h"
#include "asynprox/linalg/key_set.h"
#include "asynprox/linalg/local_rows.h"
#include "asynprox/linalg/sparse_columns.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/sums/column_moments.h"

namespace asynprox {

class Design {
 public:
  // Shares the rows of `data`. Throws ContractError where the data's scales or means do not fit it.
  Design(const Dataset& data, std::size_t outputs, bool intercept);

  std::size_t num_rows() const { return rows_.num_rows(); }
  std::size_t outputs() const { return outputs_; }
  std::size_t num_coefficients() const { return rows_.num_columns() * outputs_; }
  std::size_t num_free() const { return intercept_ ? outputs_ : 0; }  // intercepts
  std::size_t dimension() const { return num_coefficients() + num_free(); }

  // A vector of the model, made ready for many samples. Borrows it.
  struct Point {
    std::span<const double> x;  // D x
    Vector scaled;              // which is here, if there is a D
    Vector shift;               // b_c - mu'x_c; empty: zeros
    bool at_zero = false;       // so far as it is worth looking: no row need be read
  };
  Point at(std::span<const double> x) const;

  // u of these samples at the point.
  void outputs_at(const Point& point, std::span<const SampleIndex> samples,
                  std::span<double> u) const;

  // A sum over samples, on its way into a vector of the model.
  struct Sum {
    std::span<double> g;
    Vector scaled;  // sum_i c_i s_i z_i, if there is a D
    Vector totals;  // sum_i c_i; empty: not needed
  };
  Sum sum_into(std::span<double> g) const;

  // Adds sum_i c_ic a_i to x_c's part, and sum_i c_ic to b_c, once the sum is finished. In place of
  // c, which has one number an output.
  void scatter(std::span<const SampleIndex> samples, std::span<double> c, Sum& sum) const;
  void finish(Sum& sum) const;

  // The same with the means of the columns taken from a_i, entry by entry, so that columns far from
  // 0 lose no digits: g_jc += sum_i c_ic (a_ij - means_jc), and sum_i c_ic (1 - means_c) for b_c.
  void centered_scatter(std::span<const SampleIndex> samples, std::span<const double> c,
                        std::span<const double> means, std::span<double> g) const;

  // g += sum_i factor_i (a_i'x) a_i at once, where that is all there is to do: one output, and
  // neither D nor mu nor intercept, and row scales whose squares are numbers.
  bool products_fused() const { return products_fused_; }
  void add_products(std::span<const SampleIndex> samples, std::span<double> factors,
                    std::span<const double> x, std::span<double> g) const;

  // The coordinates that samples touch. What is centred touches all of them.
  bool has_keys() const { return center_.empty() && (outputs_ == 1 || column_scale_.empty()); }
  void add_keys(std::span<const SampleIndex> samples, KeySet& keys) const;
  double mean_keys() const;

  // The same for a batch whose coordinates are its keys, in their order; one output, and
  // has_keys().
  void localize(std::span<const SampleIndex> samples, KeySet& keys, LocalRows& batch) const;
  void local_outputs(const LocalRows& batch, std::size_t first, std::span<const double> x,
                     std::span<const SampleIndex> samples, std::span<double> u) const;
  void local_scatter(const LocalRows& batch, std::size_t first,
                     std::span<const SampleIndex> samples, std::span<double> c,
                     std::span<double> g) const;

  // |a_i|^2 of every sample, and one more where there is an intercept: never too small.
  Vector squared_lengths() const;

  // Nothing is centred.
  bool has_column_squares() const { return center_.empty(); }

  // (1/n) sum_i weights_i a_ij^2 of every coordinate, 1 in place of a_ij for an intercept.
  Vector mean_column_squares(Vector weights) const;

  // By these weights, whether or not anything is centred.
  ColumnMoments column_moments(const Vector& weights) const;

  // The sum over these samples of the products (W_i)_ck a_ij a_il, at the coordinates that belong to
  // coefficient c of feature j and k of l: in rising order, 1 in place of a_ij for an intercept.
  // `weights` has the C x C numbers of W_i, which is symmetric, sample by sample. Nothing is centred.
  bool has_gram() const { return center_.empty(); }
  Gram gram(std::span<const SampleIndex> samples, std::span<const double> weights,
            std::span<const Key> keys) const;

  // Columns of D s_i z_i, and the mu that is taken from them: a_ij = stored_ij - offsets_j.
  SparseColumns stored_columns(std::span<const Key> features,
                               std::span<const std::uint32_t> lengths) const {
    return columns_of(rows_, features, lengths, row_scale_, column_scale_);
  }
  std::vector<std::uint32_t> column_lengths() const { return asynprox::column_lengths(rows_); }
  std::span<const double> column_offsets() const { return center_; }

  // sum_j scales_j a_ij^2 of every sample i, over its coordinates of one output.
  Vector scaled_squared_lengths(std::span<const double> scales) const;

 private:
  // sum_i weights_i a_i a_i' at these columns, and 1 after them for an intercept.
  Gram gram_of_columns(std::span<const SampleIndex> samples, std::span<const double> weights,
                       std::span<const Key> columns, bool with_intercept) const;
  // The part of gram() that couples the outputs c and k, into `gram`.
  void add_coupling(std::span<const SampleIndex> samples, std::span<const double> weights,
                    std::span<const Key> keys, std::size_t c, std::size_t k, Gram& gram) const;
  // In place: c_i *= s_i.
  void scale_by_rows(std::span<const SampleIndex> samples, std::span<double> c) const;
  // In place: the coefficients of feature j times D_j.
  void scale_by_columns(std::span<double> x) const;
  void add_center_lengths(Vector& squares) const;
  void add_squares(const Vector& weights, ColumnMoments& moments) const;
  // a_ij, where `value` is what row i has stored for column j.
  double entry(std::size_t row, std::size_t column, double value) const {
    return value * (row_scale_.empty() ? 1 : row_scale_[row]) *
               (column_scale_.empty() ? 1 : column_scale_[column]) -
           (center_.empty() ? 0 : center_[column]);
  }

  Rows rows_;
  Vector row_scale_;     // empty: all one
  Vector column_scale_;  // empty: all one
  Vector center_;        // empty: zeros
  std::size_t outputs_;
  bool intercept_;
  bool products_fused_ = false;
};

}  // namespace asynprox
