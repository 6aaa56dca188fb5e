#include "asynprox/sums/linear_sum.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/sums/best_shift.h"
#include "asynprox/sums/sample_weights.h"

namespace asynprox {
namespace {

// Batches are worked on in pieces that stay in the first-level cache, with scratch on the stack.
constexpr std::size_t kPiece = 512;

// Enough for the outputs of a piece, or for a sample of as many.
constexpr std::size_t kOutputsMax = 4096;
// A row whose square is this many times the median is long.
constexpr double kLongRow = 16;
constexpr std::size_t kMedianOf = 1000;

using Scratch = std::array<double, kPiece>;
using OutputScratch = std::array<double, kOutputsMax>;

// Of all numbers, or of a thousand drawn from them.
double median_of_some(std::span<const double> numbers) {
  const bool all = numbers.size() <= kMedianOf;
  const Random random(1);
  Vector some(all ? numbers.size() : kMedianOf);
  for (std::size_t i = 0; i < some.size(); ++i)
    some[i] = numbers[all ? i : random.index_at(i, numbers.size())];
  const auto middle = some.begin() + static_cast<std::ptrdiff_t>(some.size() / 2);
  std::ranges::nth_element(some, middle);
  return *middle;
}

}  // namespace

template <class Work>
void LinearSum::for_each_piece(Samples samples, Work work) const {
  const std::size_t piece = std::min(kPiece, kOutputsMax / outputs());
  for (std::size_t start = 0; start < samples.size(); start += piece)
    work(samples.subspan(start, std::min(piece, samples.size() - start)), start);
}

LinearSum::LinearSum(const Dataset& data, Vector labels, AnyLoss loss,
                     const LinearSumOptions& options)
    : design_(data, options.outputs, options.intercept),
      labels_(std::move(labels)),
      sample_weights_(mean_one(data)),
      loss_(std::move(loss)) {
  const std::size_t n = design_.num_rows();
  if (loss_.labels() == Labels::none) labels_.assign(n, 0);
  require(labels_.size() == n, data.name + ": " + std::to_string(n) + " rows but " +
                                   std::to_string(labels_.size()) + " labels");
  require(options.outputs <= kOutputsMax, data.name + ": expected at most " +
                                              std::to_string(kOutputsMax) + " classes, got " +
                                              std::to_string(options.outputs));
}

void LinearSum::gather_labels(Samples samples, std::span<double> y) const {
  for (std::size_t i = 0; i < samples.size(); ++i) y[i] = labels_[samples[i]];
}

void LinearSum::weigh(Samples samples, std::span<double> c) const {
  if (sample_weights_.empty()) return;
  const std::size_t C = outputs();
  for (std::size_t i = 0; i < samples.size(); ++i)
    scale(c.subspan(i * C, C), sample_weights_[samples[i]]);
}

void LinearSum::multiply(std::span<double> c, std::span<const double> weights,
                         std::size_t start) const {
  if (weights.empty()) return;
  const std::size_t C = outputs();
  for (std::size_t i = 0; i < c.size() / C; ++i) scale(c.subspan(i * C, C), weights[start + i]);
}

double LinearSum::weighted_total(Samples samples, std::span<const double> values) const {
  if (sample_weights_.empty()) return sum(values);
  double total = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) total += sample_weights_[samples[i]] * values[i];
  return total;
}

void LinearSum::derivatives_of(Samples samples, std::span<double> u) const {
  Scratch y;
  gather_labels(samples, {y.data(), samples.size()});
  loss_.derivatives(u, {y.data(), samples.size()}, u);
  weigh(samples, u);
}

void LinearSum::scalars(std::span<const double> x, Samples samples, std::span<double> c) const {
  const Design::Point point = design_.at(x);
  for_each_piece(samples, [&](Samples piece, std::size_t start) {
    const std::span<double> out = c.subspan(start * outputs(), piece.size() * outputs());
    design_.outputs_at(point, piece, out);
    derivatives_of(piece, out);
  });
}

void LinearSum::outputs_at(std::span<const double> x, Samples samples, std::span<double> u) const {
  const Design::Point point = design_.at(x);
  for_each_piece(samples, [&](Samples piece, std::size_t start) {
    design_.outputs_at(point, piece, u.subspan(start * outputs(), piece.size() * outputs()));
  });
}

double LinearSum::value_of_outputs(Samples samples, std::span<const double> u) const {
  double total = 0;
  for_each_piece(samples, [&](Samples piece, std::size_t start) {
    Scratch y, values;
    const std::size_t size = piece.size();
    gather_labels(piece, {y.data(), size});
    loss_.values(u.subspan(start * outputs(), size * outputs()), {y.data(), size},
                 {values.data(), size});
    total += weighted_total(piece, {values.data(), size});
  });
  return total;
}

void LinearSum::scalars_of_outputs(Samples samples, std::span<const double> u,
                                   std::span<double> c) const {
  for_each_piece(samples, [&](Samples piece, std::size_t start) {
    const std::size_t size = piece.size() * outputs();
    const std::span<double> out = c.subspan(start * outputs(), size);
    if (u.data() != c.data()) std::ranges::copy(u.subspan(start * outputs(), size), out.begin());
    derivatives_of(piece, out);
  });
}

bool LinearSum::curvatures_of_scalars(Samples samples, std::span<const double> c,
                                      std::span<double> out) const {
  if (!loss_.has_second_derivative()) return false;
  for_each_piece(samples, [&](Samples piece, std::size_t start) {
    OutputScratch scratch;
    Scratch labels;
    const std::size_t C = outputs(), size = piece.size();
    const std::span<double> derivatives(scratch.data(), size * C), y(labels.data(), size);
    std::ranges::copy(c.subspan(start * C, size * C), derivatives.begin());
    if (!sample_weights_.empty())
      for (std::size_t k = 0; k < derivatives.size(); ++k)
        if (const double weight = sample_weights_[piece[k / C]]; weight > 0)
          derivatives[k] /= weight;
    gather_labels(piece, y);
    const std::span<double> found = out.subspan(start * C * C, size * C * C);
    loss_.second_derivatives(derivatives, y, found);
    for (std::size_t k = 0; k < found.size() && !sample_weights_.empty(); ++k)
      found[k] *= sample_weights_[piece[k / (C * C)]];
  });
  return true;
}

void LinearSum::class_curvature(Samples samples, std::span<const double> c, std::span<double> p,
                                std::span<double> w) const {
  const std::size_t C = outputs();
  for (std::size_t i = 0; i < samples.size(); ++i) {
    w[i] = sample_weights_.empty() ? 1 : sample_weights_[samples[i]];
    const std::span<double> p_i = p.subspan(i * C, C);
    std::ranges::copy(c.subspan(i * C, C), p_i.begin());
    if (w[i] > 0) scale(p_i, 1 / w[i]);
    p_i[static_cast<std::size_t>(labels_[samples[i]])] += 1;
  }
}

void LinearSum::scatter(Samples samples, std::span<const double> c, std::span<double> g) const {
  Design::Sum sum = design_.sum_into(g);
  for_each_piece(samples, [&](Samples piece, std::size_t start) {
    OutputScratch scratch;
    const std::span<double> out(scratch.data(), piece.size() * outputs());
    std::ranges::copy(c.subspan(start * outputs(), out.size()), out.begin());
    design_.scatter(piece, out, sum);
  });
  design_.finish(sum);
}

void LinearSum::add_local_gradient(const LocalRows& batch, std::span<const double> x,
                                   Samples samples, std::span<const double> weights,
                                   std::span<double> g) const {
  for_each_piece(samples, [&](Samples piece, std::size_t start) {
    Scratch scratch;
    const std::span<double> c(scratch.data(), piece.size());
    design_.local_outputs(batch, start, x, piece, c);
    derivatives_of(piece, c);
    multiply(c, weights, start);
    design_.local_scatter(batch, start, piece, c, g);
  });
}

void LinearSum::local_scalars(const LocalRows& batch, std::span<const double> x, Samples samples,
                              std::span<double> c) const {
  for_each_piece(samples, [&](Samples piece, std::size_t start) {
    const std::span<double> out = c.subspan(start, piece.size());
    design_.local_outputs(batch, start, x, piece, out);
    derivatives_of(piece, out);
  });
}

void LinearSum::local_scatter(const LocalRows& batch, Samples samples, std::span<const double> c,
                              std::span<double> g) const {
  for_each_piece(samples, [&](Samples piece, std::size_t start) {
    Scratch scratch;
    const std::span<double> out(scratch.data(), piece.size());
    std::ranges::copy(c.subspan(start, piece.size()), out.begin());
    design_.local_scatter(batch, start, piece, out, g);
  });
}

double LinearSum::value(std::span<const double> x, Samples samples) const {
  const Design::Point point = design_.at(x);
  double total = 0;
  for_each_piece(samples, [&](Samples piece, std::size_t) {
    OutputScratch u;
    Scratch y, values;
    const std::size_t size = piece.size();
    const std::span<double> at_point(u.data(), size * outputs());
    design_.outputs_at(point, piece, at_point);
    gather_labels(piece, {y.data(), size});
    loss_.values(at_point, {y.data(), size}, {values.data(), size});
    total += weighted_total(piece, {values.data(), size});
  });
  return total;
}

void LinearSum::add_gradient(std::span<const double> x, Samples samples,
                             std::span<const double> weights, std::span<double> g) const {
  if (const auto slope = loss_.slope()) return add_products(*slope, x, samples, weights, g);
  const Design::Point point = design_.at(x);
  Design::Sum sum = design_.sum_into(g);
  for_each_piece(samples, [&](Samples piece, std::size_t start) {
    OutputScratch scratch;
    const std::span<double> c(scratch.data(), piece.size() * outputs());
    design_.outputs_at(point, piece, c);
    derivatives_of(piece, c);
    multiply(c, weights, start);
    design_.scatter(piece, c, sum);
  });
  design_.finish(sum);
}

double LinearSum::value_and_gradient(std::span<const double> x, Samples samples,
                                     std::span<double> g, std::span<double> outputs_kept,
                                     std::span<double> scalars_kept) const {
  const Design::Point point = design_.at(x);
  Design::Sum sum = design_.sum_into(g);
  double total = 0;
  for_each_piece(samples, [&](Samples piece, std::size_t start) {
    OutputScratch u_scratch, c_scratch;
    Scratch y, values;
    const std::size_t size = piece.size(), first = start * outputs(), count = size * outputs();
    const std::span<double> u = outputs_kept.empty() ? std::span(u_scratch).first(count)
                                                     : outputs_kept.subspan(first, count);
    const std::span<double> c(c_scratch.data(), count);
    design_.outputs_at(point, piece, u);
    gather_labels(piece, {y.data(), size});
    loss_.values_and_derivatives(u, {y.data(), size}, {values.data(), size}, c);
    total += weighted_total(piece, {values.data(), size});
    weigh(piece, c);
    if (!scalars_kept.empty()) std::ranges::copy(c, scalars_kept.subspan(first, count).begin());
    design_.scatter(piece, c, sum);
  });
  design_.finish(sum);
  return total;
}

std::optional<Vector> LinearSum::sample_lipschitz() const {
  if (!has_curvature()) return std::nullopt;
  Vector lipschitz = squared_lengths();
  curvatures_of(lipschitz);
  return lipschitz;
}

const Vector& LinearSum::squared_lengths() const {
  std::call_once(lengths_->found, [&] { lengths_->squares = design_.squared_lengths(); });
  return lengths_->squares;
}

void LinearSum::curvatures_of(Vector& squared_lengths) const {
  if (loss_.curvature()) {
    asynprox::scale(squared_lengths, *loss_.curvature());
  } else {
    Vector local(labels_.size());
    loss_.local_curvatures(labels_, local);
    for (std::size_t i = 0; i < local.size(); ++i) squared_lengths[i] *= local[i];
  }
  for (std::size_t i = 0; i < sample_weights_.size(); ++i) squared_lengths[i] *= sample_weights_[i];
}

std::optional<Vector> LinearSum::curvature_diagonal() const {
  if (!has_curvature() || !design_.has_column_squares()) return std::nullopt;
  // A few huge rows must not decide for all.
  const Vector& lengths = squared_lengths();
  const double longest = kLongRow * median_of_some(lengths);
  Vector weights(lengths.size(), 1);
  curvatures_of(weights);
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (lengths[i] > longest) weights[i] *= longest / lengths[i];
  return design_.mean_column_squares(std::move(weights));
}

ColumnMoments LinearSum::column_moments() const {
  std::call_once(moments_->found, [&] {
    Vector weights(num_samples(), 1);
    if (has_curvature()) curvatures_of(weights);
    moments_->moments = design_.column_moments(weights);
  });
  return moments_->moments;
}

std::optional<Vector> LinearSum::scaled_sample_lipschitz(std::span<const double> scales) const {
  if (!has_curvature() || !design_.has_column_squares()) return std::nullopt;
  Vector lipschitz = design_.scaled_squared_lengths(scales);
  curvatures_of(lipschitz);
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
  const bool fused = design_.products_fused();
  const Design::Point point = design_.at(x);
  Design::Sum sum = design_.sum_into(g);
  for_each_piece(samples, [&](Samples piece, std::size_t start) {
    OutputScratch scratch;
    const std::span<double> factors(scratch.data(), piece.size() * outputs());
    if (fused) {
      std::ranges::fill(factors, factor);
    } else {
      design_.outputs_at(point, piece, factors);
      asynprox::scale(factors, factor);
    }
    weigh(piece, factors);
    multiply(factors, weights, start);
    if (fused)
      design_.add_products(piece, factors, x, g);
    else
      design_.scatter(piece, factors, sum);
  });
  design_.finish(sum);
}

double LinearSum::squared_gradient_norms(std::span<const double> x, Samples samples) const {
  const Vector& squares = squared_lengths();
  const Design::Point point = design_.at(x);
  double total = 0;
  for_each_piece(samples, [&](Samples piece, std::size_t) {
    OutputScratch scratch;
    const std::span<double> c(scratch.data(), piece.size() * outputs());
    design_.outputs_at(point, piece, c);
    derivatives_of(piece, c);
    for (std::size_t i = 0; i < piece.size(); ++i) {
      const std::span<const double> c_i = c.subspan(i * outputs(), outputs());
      total += dot(c_i, c_i) * squares[piece[i]];
    }
  });
  return total;
}

double LinearSum::conjugate_sum(Samples samples, std::span<const double> u, double s) const {
  double total = 0;
  for_each_piece(samples, [&](Samples piece, std::size_t start) {
    OutputScratch theta;
    Scratch y, conjugates;
    const std::size_t size = piece.size();
    const std::span<double> derivatives(theta.data(), size * outputs());
    gather_labels(piece, {y.data(), size});
    loss_.derivatives(u.subspan(start * outputs(), derivatives.size()), {y.data(), size},
                      derivatives);
    asynprox::scale(derivatives, s);
    loss_.conjugates(derivatives, {y.data(), size}, {conjugates.data(), size});
    total += weighted_total(piece, {conjugates.data(), size});
  });
  return total;
}

std::optional<Vector> LinearSum::best_intercept(std::span<const double> x) const {
  if (num_free() == 0) return std::nullopt;
  const std::vector<SampleIndex> all = all_samples(num_samples());
  Vector u(all.size() * outputs());
  const Design::Point point = design_.at(x);
  for_each_piece(all, [&](Samples piece, std::size_t start) {
    design_.outputs_at(point, piece,
                       std::span(u).subspan(start * outputs(), piece.size() * outputs()));
  });
  const std::optional<Vector> shift = best_shift(loss_, u, labels_, sample_weights_);
  if (!shift) return std::nullopt;
  Vector solved(x.begin(), x.end());
  add_scaled(std::span(solved).last(num_free()), 1, *shift);
  return solved;
}

}  // namespace asynprox
