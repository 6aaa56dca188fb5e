#include "asynprox/problem/linear_sum.h"

#include <algorithm>
#include <array>
#include <limits>
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

// In place: c_i *= weights_i of the piece that begins at `start`, if there are any weights.
void multiply(std::span<double> c, std::span<const double> weights, std::size_t start) {
  if (weights.empty()) return;
  for (std::size_t i = 0; i < c.size(); ++i) c[i] *= weights[start + i];
}

}  // namespace

LinearSum::LinearSum(const Dataset& data, Vector labels, AnyLoss loss)
    : rows_(data.rows),
      labels_(std::move(labels)),
      row_scale_(data.row_scale),
      center_(data.center),
      sample_weights_(data.weights),
      loss_(std::move(loss)) {
  const std::size_t n = rows_.num_rows();
  if (loss_.labels() == Labels::none) labels_.assign(n, 0);
  require(n > 0, "the data has no samples");
  require(labels_.size() == n, data.name + ": " + std::to_string(n) + " rows but " +
                                   std::to_string(labels_.size()) + " labels");
  scales_can_be_squared_ = std::ranges::all_of(
      row_scale_, [](double scale) { return scale == 0 || (scale > 1e-150 && scale < 1e150); });
  require(row_scale_.empty() || row_scale_.size() == n, data.name + ": one row scale a row");
  require(center_.empty() || center_.size() == rows_.num_columns(),
          data.name + ": one mean a column");
  require(sample_weights_.empty() || sample_weights_.size() == n,
          data.name + ": one weight a sample");
  if (sample_weights_.empty()) return;
  const double total = std::accumulate(sample_weights_.begin(), sample_weights_.end(), 0.0);
  require(total > 0 && *std::ranges::min_element(sample_weights_) >= 0,
          data.name + ": weights are at least 0, and not all of them 0");
  asynprox::scale(sample_weights_, static_cast<double>(n) / total);
}

void LinearSum::outputs(std::span<const double> x, Samples samples, double shift,
                        std::span<double> u) const {
  rows_.dots(samples, x, u);
  scale_by_rows(samples, u);
  if (center_.empty()) return;
  for (double& u_i : u) u_i -= shift;
}

void LinearSum::gather_labels(Samples samples, std::span<double> y) const {
  for (std::size_t i = 0; i < samples.size(); ++i) y[i] = labels_[samples[i]];
}

void LinearSum::scale_by_rows(Samples samples, std::span<double> c) const {
  if (row_scale_.empty()) return;
  for (std::size_t i = 0; i < samples.size(); ++i) c[i] *= row_scale_[samples[i]];
}

void LinearSum::weigh(Samples samples, std::span<double> c) const {
  if (sample_weights_.empty()) return;
  for (std::size_t i = 0; i < samples.size(); ++i) c[i] *= sample_weights_[samples[i]];
}

double LinearSum::weighted_total(Samples samples, std::span<const double> values) const {
  if (sample_weights_.empty()) return std::accumulate(values.begin(), values.end(), 0.0);
  double total = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) total += sample_weights_[samples[i]] * values[i];
  return total;
}

double LinearSum::scatter_scaled(Samples samples, std::span<double> c, std::span<double> g) const {
  const double total = center_.empty() ? 0 : std::accumulate(c.begin(), c.end(), 0.0);
  scale_by_rows(samples, c);
  rows_.scatter(samples, c, g);
  return total;
}

void LinearSum::take_off_center(double total, std::span<double> g) const {
  if (!center_.empty()) add_scaled(g.first(center_.size()), -total, center_);
}

void LinearSum::scalars(std::span<const double> x, Samples samples, std::span<double> c) const {
  const double shift = shift_at(x);
  for_each_piece(samples, [&](Samples piece, std::size_t start) {
    const std::span<double> out = c.subspan(start, piece.size());
    rows_.dots(piece, x, out);
    derivatives_of(piece, shift, out);
  });
}

void LinearSum::scatter(Samples samples, std::span<const double> c, std::span<double> g) const {
  double total = 0;
  for_each_piece(samples, [&](Samples piece, std::size_t start) {
    Scratch scratch;
    const std::span<double> scaled(scratch.data(), piece.size());
    std::ranges::copy(c.subspan(start, piece.size()), scaled.begin());
    total += scatter_scaled(piece, scaled, g);
  });
  take_off_center(total, g);
}

void LinearSum::derivatives_of(Samples samples, double shift, std::span<double> u) const {
  Scratch outputs, y;
  const std::size_t size = samples.size();
  for (std::size_t i = 0; i < size; ++i)
    outputs[i] = row_scale_.empty() ? u[i] : u[i] * row_scale_[samples[i]];
  if (!center_.empty())
    for (std::size_t i = 0; i < size; ++i) outputs[i] -= shift;
  gather_labels(samples, {y.data(), size});
  loss_.derivatives({outputs.data(), size}, {y.data(), size}, u);
  weigh(samples, u);
}

void LinearSum::add_local_gradient(const LocalRows& batch, std::span<const double> x,
                                   Samples samples, std::span<const double> weights,
                                   std::span<double> g) const {
  for_each_piece(samples, [&](Samples piece, std::size_t start) {
    Scratch scratch;
    const std::span<double> c(scratch.data(), piece.size());
    batch.dots(start, x, c);
    derivatives_of(piece, /*shift=*/0, c);
    multiply(c, weights, start);
    scale_by_rows(piece, c);
    batch.scatter(start, c, g);
  });
}

double LinearSum::value(std::span<const double> x, Samples samples) const {
  const double shift = shift_at(x);
  double total = 0;
  for_each_piece(samples, [&](Samples piece, std::size_t) {
    Scratch u, y, values;
    const std::size_t size = piece.size();
    outputs(x, piece, shift, {u.data(), size});
    gather_labels(piece, {y.data(), size});
    loss_.values({u.data(), size}, {y.data(), size}, {values.data(), size});
    total += weighted_total(piece, {values.data(), size});
  });
  return total;
}

void LinearSum::add_gradient(std::span<const double> x, Samples samples,
                             std::span<const double> weights, std::span<double> g) const {
  if (const auto slope = loss_.slope()) return add_products(*slope, x, samples, weights, g);
  const double shift = shift_at(x);
  double total = 0;
  for_each_piece(samples, [&](Samples piece, std::size_t start) {
    Scratch scratch;
    const std::span<double> c(scratch.data(), piece.size());
    rows_.dots(piece, x, c);
    derivatives_of(piece, shift, c);
    multiply(c, weights, start);
    total += scatter_scaled(piece, c, g);
  });
  take_off_center(total, g);
}

double LinearSum::value_and_gradient(std::span<const double> x, Samples samples,
                                     std::span<double> g) const {
  const double shift = shift_at(x);
  double total = 0, scalars_total = 0;
  for_each_piece(samples, [&](Samples piece, std::size_t) {
    Scratch u, y, out;
    const std::size_t size = piece.size();
    const std::span<double> result(out.data(), size);
    outputs(x, piece, shift, {u.data(), size});
    gather_labels(piece, {y.data(), size});
    loss_.values({u.data(), size}, {y.data(), size}, result);
    total += weighted_total(piece, result);
    loss_.derivatives({u.data(), size}, {y.data(), size}, result);
    weigh(piece, result);
    scalars_total += scatter_scaled(piece, result, g);
  });
  take_off_center(scalars_total, g);
  return total;
}

double LinearSum::mean_keys() const {
  return static_cast<double>(rows_.num_nonzeros()) / static_cast<double>(rows_.num_rows());
}

Vector LinearSum::squared_lengths() const {
  Vector squares = rows_.squared_norms(row_scale_);
  if (center_.empty()) return squares;
  const double square = dot(center_, center_);
  const double rounding =
      std::numeric_limits<double>::epsilon() * (8 + static_cast<double>(dimension()));
  std::vector<SampleIndex> all(squares.size());
  std::iota(all.begin(), all.end(), SampleIndex{0});
  for_each_piece(all, [&](Samples piece, std::size_t start) {
    Scratch scratch;
    const std::span<double> u(scratch.data(), piece.size());
    outputs(center_, piece, square, u);
    // |s z - mu|^2 = |s z|^2 - 2 (s z - mu)'mu - |mu|^2, and what rounding may have taken away: far
    // from the origin little is left of large numbers, and a bound has to stay one.
    for (std::size_t i = 0; i < piece.size(); ++i) {
      double& length = squares[start + i];
      const double lost = rounding * (length + square);
      length = std::max(0.0, length - 2 * u[i] - square) + lost;
    }
  });
  return squares;
}

std::optional<Vector> LinearSum::sample_lipschitz() const {
  if (!has_curvature()) return std::nullopt;
  Vector lipschitz = squared_lengths();
  if (loss_.curvature()) {
    asynprox::scale(lipschitz, *loss_.curvature());
  } else {
    Vector local(labels_.size());
    loss_.local_curvatures(labels_, local);
    multiply(lipschitz, local, 0);
  }
  for (std::size_t i = 0; i < sample_weights_.size(); ++i) lipschitz[i] *= sample_weights_[i];
  return lipschitz;
}

void LinearSum::add_curvature(std::span<const double> v, Samples samples,
                              std::span<double> out) const {
  if (loss_.curvature()) return add_products(*loss_.curvature(), v, samples, {}, out);
  Vector labels(samples.size()), local(samples.size());
  gather_labels(samples, labels);
  loss_.local_curvatures(labels, local);
  add_products(1, v, samples, local, out);
}

void LinearSum::add_products(double factor, std::span<const double> x, Samples samples,
                             std::span<const double> weights, std::span<double> g) const {
  const bool fused = scales_can_be_squared_ && center_.empty();
  const double shift = shift_at(x);
  double total = 0;
  for_each_piece(samples, [&](Samples piece, std::size_t start) {
    Scratch scratch;
    const std::span<double> factors(scratch.data(), piece.size());
    if (fused) {
      std::ranges::fill(factors, factor);
      scale_by_rows(piece, factors);
    } else {
      outputs(x, piece, shift, factors);
      asynprox::scale(factors, factor);
    }
    weigh(piece, factors);
    multiply(factors, weights, start);
    if (fused) {
      scale_by_rows(piece, factors);
      rows_.add_products(piece, factors, x, g);
    } else {
      total += scatter_scaled(piece, factors, g);
    }
  });
  take_off_center(total, g);
}

double LinearSum::squared_gradient_norms(std::span<const double> x, Samples samples) const {
  const Vector squares = squared_lengths();
  const double shift = shift_at(x);
  double total = 0;
  for_each_piece(samples, [&](Samples piece, std::size_t) {
    Scratch scratch;
    const std::span<double> c(scratch.data(), piece.size());
    rows_.dots(piece, x, c);
    derivatives_of(piece, shift, c);
    for (std::size_t i = 0; i < piece.size(); ++i) total += c[i] * c[i] * squares[piece[i]];
  });
  return total;
}

}  // namespace asynprox
