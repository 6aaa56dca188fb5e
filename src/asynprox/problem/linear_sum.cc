#include "asynprox/problem/linear_sum.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

// Batches are worked on in pieces that stay in the first-level cache, with scratch on the stack.
constexpr std::size_t kPiece = 512;
using Scratch = std::array<double, kPiece>;

template <class Work>
void for_each_piece(Samples samples, Work work) {
  for (std::size_t start = 0; start < samples.size(); start += kPiece)
    work(samples.subspan(start, std::min(kPiece, samples.size() - start)), start);
}

}  // namespace

LinearSum::LinearSum(const Dataset& data, Vector labels, AnyLoss loss)
    : rows_(data.rows),
      labels_(std::move(labels)),
      row_scale_(data.row_scale),
      sample_weights_(data.weights),
      loss_(std::move(loss)) {
  const std::size_t n = rows_.num_rows();
  if (loss_.labels() == Labels::none) labels_.assign(n, 0);
  require(n > 0, "the data has no samples");
  require(labels_.size() == n, data.name + ": " + std::to_string(n) + " rows but " +
                                   std::to_string(labels_.size()) + " labels");
  require(row_scale_.empty() || row_scale_.size() == n, data.name + ": one row scale a row");
  require(sample_weights_.empty() || sample_weights_.size() == n,
          data.name + ": one weight a sample");
  if (sample_weights_.empty()) return;
  const double total = std::accumulate(sample_weights_.begin(), sample_weights_.end(), 0.0);
  require(total > 0 && *std::ranges::min_element(sample_weights_) >= 0,
          data.name + ": weights are at least 0, and not all of them 0");
  asynprox::scale(sample_weights_, static_cast<double>(n) / total);
}

void LinearSum::outputs(std::span<const double> x, Samples samples, std::span<double> u) const {
  rows_.dots(samples, x, u);
  if (row_scale_.empty()) return;
  for (std::size_t i = 0; i < samples.size(); ++i) u[i] *= row_scale_[samples[i]];
}

void LinearSum::gather_labels(Samples samples, std::span<double> y) const {
  for (std::size_t i = 0; i < samples.size(); ++i) y[i] = labels_[samples[i]];
}

void LinearSum::scale_scalars(Samples samples, std::span<double> c) const {
  if (!row_scale_.empty())
    for (std::size_t i = 0; i < samples.size(); ++i) c[i] *= row_scale_[samples[i]];
  if (!sample_weights_.empty())
    for (std::size_t i = 0; i < samples.size(); ++i) c[i] *= sample_weights_[samples[i]];
}

double LinearSum::weighted_total(Samples samples, std::span<const double> values) const {
  if (sample_weights_.empty()) return std::accumulate(values.begin(), values.end(), 0.0);
  double total = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) total += sample_weights_[samples[i]] * values[i];
  return total;
}

void LinearSum::scalars(std::span<const double> x, Samples samples, std::span<double> c) const {
  for_each_piece(samples, [&](Samples piece, std::size_t start) {
    Scratch u, y;
    const std::size_t size = piece.size();
    outputs(x, piece, {u.data(), size});
    gather_labels(piece, {y.data(), size});
    const std::span<double> out = c.subspan(start, size);
    loss_.derivatives({u.data(), size}, {y.data(), size}, out);
    scale_scalars(piece, out);
  });
}

double LinearSum::value(std::span<const double> x, Samples samples) const {
  double total = 0;
  for_each_piece(samples, [&](Samples piece, std::size_t) {
    Scratch u, y, values;
    const std::size_t size = piece.size();
    outputs(x, piece, {u.data(), size});
    gather_labels(piece, {y.data(), size});
    loss_.values({u.data(), size}, {y.data(), size}, {values.data(), size});
    total += weighted_total(piece, {values.data(), size});
  });
  return total;
}

void LinearSum::add_gradient(std::span<const double> x, Samples samples,
                             std::span<const double> weights, std::span<double> g) const {
  if (const auto slope = loss_.slope()) return add_products(*slope, x, samples, weights, g);
  for_each_piece(samples, [&](Samples piece, std::size_t start) {
    Scratch c;
    const std::span<double> scalars_of_piece(c.data(), piece.size());
    scalars(x, piece, scalars_of_piece);
    if (!weights.empty())
      for (std::size_t i = 0; i < piece.size(); ++i) c[i] *= weights[start + i];
    rows_.scatter(piece, scalars_of_piece, g);
  });
}

double LinearSum::value_and_gradient(std::span<const double> x, Samples samples,
                                     std::span<double> g) const {
  double total = 0;
  for_each_piece(samples, [&](Samples piece, std::size_t) {
    Scratch u, y, out;
    const std::size_t size = piece.size();
    const std::span<double> result(out.data(), size);
    outputs(x, piece, {u.data(), size});
    gather_labels(piece, {y.data(), size});
    loss_.values({u.data(), size}, {y.data(), size}, result);
    total += weighted_total(piece, result);
    loss_.derivatives({u.data(), size}, {y.data(), size}, result);
    scale_scalars(piece, result);
    rows_.scatter(piece, result, g);
  });
  return total;
}

double LinearSum::mean_keys() const {
  return static_cast<double>(rows_.num_nonzeros()) / static_cast<double>(rows_.num_rows());
}

Vector LinearSum::sample_lipschitz() const {
  Vector lipschitz = rows_.squared_norms(row_scale_);
  asynprox::scale(lipschitz, loss_.curvature());
  for (std::size_t i = 0; i < sample_weights_.size(); ++i) lipschitz[i] *= sample_weights_[i];
  return lipschitz;
}

void LinearSum::add_curvature(std::span<const double> v, Samples samples,
                              std::span<double> out) const {
  add_products(loss_.curvature(), v, samples, {}, out);
}

void LinearSum::add_products(double factor, std::span<const double> x, Samples samples,
                             std::span<const double> weights, std::span<double> g) const {
  for_each_piece(samples, [&](Samples piece, std::size_t start) {
    Scratch scratch;
    const std::span<double> factors(scratch.data(), piece.size());
    std::ranges::fill(factors, factor);
    scale_scalars(piece, factors);
    if (!row_scale_.empty())
      for (std::size_t i = 0; i < piece.size(); ++i) factors[i] *= row_scale_[piece[i]];
    if (!weights.empty())
      for (std::size_t i = 0; i < piece.size(); ++i) factors[i] *= weights[start + i];
    rows_.add_products(piece, factors, x, g);
  });
}

double LinearSum::squared_gradient_norms(std::span<const double> x, Samples samples) const {
  const Vector squared_norms = rows_.squared_norms();
  double total = 0;
  for_each_piece(samples, [&](Samples piece, std::size_t) {
    Scratch c;
    scalars(x, piece, {c.data(), piece.size()});
    for (std::size_t i = 0; i < piece.size(); ++i) total += c[i] * c[i] * squared_norms[piece[i]];
  });
  return total;
}

}  // namespace asynprox
