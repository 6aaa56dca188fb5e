#include "asynprox/sums/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asynprox/base/errors.h"
#include "asynprox/linalg/widened_rows.h"
#include "asynprox/sums/sample_weights.h"

namespace asynprox {
namespace {

// Of differences of gradients, beside |x|.
constexpr double kDifference = 1e-4;

// |W|^2 of a layer, by power iteration: nearly, from below.
double squared_norm(const Layer& layer, std::span<const double> x) {
  Vector v(layer.inputs, 1), product(layer.units);
  double square = 0;
  for (int round = 0; round < 20; ++round) {
    const double length = norm(v);
    if (length == 0) return 0;
    scale(v, 1 / length);
    for (std::size_t k = 0; k < layer.units; ++k)
      product[k] = dot(x.subspan(layer.first + k * layer.stride(), layer.inputs), v);
    square = dot(product, product);
    std::ranges::fill(v, 0);
    for (std::size_t k = 0; k < layer.units; ++k)
      add_scaled(v, product[k], x.subspan(layer.first + k * layer.stride(), layer.inputs));
  }
  return square;
}

}  // namespace

NetworkInputs::NetworkInputs(const Dataset& data, std::size_t num_inputs)
    : rows_(data.rows),
      num_inputs_(num_inputs),
      row_scale_(data.row_scale),
      column_scale_(data.column_scale),
      center_(data.center) {}

void NetworkInputs::for_each(
    Samples samples, const std::function<void(std::size_t, const PickedRows&)>& work) const {
  for_each_widened_row(rows_.arrays(), samples, [&](std::size_t i, auto columns, auto values) {
    std::size_t known = columns.size();
    while (known > 0 && columns[known - 1] >= num_inputs_) --known;
    if (!row_scale_.empty()) scale(values, row_scale_[samples[i]]);
    if (!column_scale_.empty())
      for (std::size_t e = 0; e < known; ++e) values[e] *= column_scale_[columns[e]];
    work(i, {columns.first(known), values.first(known)});
  });
}

double NetworkInputs::mean_square_length() const {
  double total = 0;
  for_each(all_samples(num_samples()), [&](std::size_t, const PickedRows& inputs) {
    double square = dot(center_, center_);
    for (std::size_t e = 0; e < inputs.rows.size(); ++e) {
      const double mean = center_.empty() ? 0 : center_[inputs.rows[e]];
      square += inputs.factors[e] * (inputs.factors[e] - 2 * mean);
    }
    total += square;
  });
  return std::max(0.0, total) / static_cast<double>(num_samples());
}

double NetworkInputs::mean_nonzeros() const {
  return static_cast<double>(rows_.num_nonzeros()) / static_cast<double>(rows_.num_rows());
}

Vector network_outputs(const NetworkShape& shape, std::span<const double> x, const Dataset& data) {
  require(x.size() == shape.dimension(),
          fmt::format("network: expected {} numbers, got {}", shape.dimension(), x.size()));
  Vector outputs(data.num_samples() * shape.outputs);
  NetworkPass pass(shape, x, data.center);
  NetworkInputs(data, shape.inputs)
      .for_each(all_samples(data.num_samples()), [&](std::size_t i, const PickedRows& inputs) {
        std::ranges::copy(pass.forward(inputs),
                          outputs.begin() + static_cast<std::ptrdiff_t>(i * shape.outputs));
      });
  return outputs;
}

Network::Network(const Dataset& data, Vector labels, AnyLoss loss, NetworkShape shape)
    : inputs_(data, data.dimension()),
      labels_(std::move(labels)),
      weights_(mean_one(data)),
      loss_(std::move(loss)),
      shape_(std::move(shape)),
      dimension_(shape_.dimension()),
      mean_square_length_(0) {
  const auto fits = [&](bool holds, const std::string& expected) {
    require(holds, data.name + ": a network expects " + expected);
  };
  fits(data.num_samples() > 0, "samples");
  fits(labels_.size() == data.num_samples(), "a label a row");
  fits(shape_.inputs == data.dimension(),
       fmt::format("as many inputs as columns, {}, got {}", data.dimension(), shape_.inputs));
  fits(std::ranges::min(shape_.hidden.empty() ? std::vector<std::size_t>{1} : shape_.hidden) > 0,
       "at least one unit in each layer");
  fits(shape_.outputs == 1 || (shape_.outputs > 1 && loss_.several_outputs()),
       fmt::format("one output, or several with a loss of several, got {} with {}", shape_.outputs,
                   loss_.name()));
  fits(loss_.curvature().has_value(),
       fmt::format("a loss with a bounded curvature, got {}", loss_.name()));
  loss_.check_labels(labels_, shape_.outputs);
  mean_square_length_ = inputs_.mean_square_length();
}

double Network::loss_value(std::span<const double> u, SampleIndex i) const {
  double value = 0;
  loss_.values(u, std::span(labels_).subspan(i, 1), std::span(&value, 1));
  return weight(i) * value;
}

void Network::differentiate(std::span<double> u, SampleIndex i) const {
  loss_.derivatives(u, std::span(labels_).subspan(i, 1), u);
  if (!weights_.empty()) scale(u, weights_[i]);
}

double Network::value(std::span<const double> x, Samples samples) const {
  NetworkPass pass(shape_, x, inputs_.center());
  double total = 0;
  inputs_.for_each(samples, [&](std::size_t i, const PickedRows& inputs) {
    total += loss_value(pass.forward(inputs), samples[i]);
  });
  return total;
}

void Network::add_gradient(std::span<const double> x, Samples samples,
                           std::span<const double> weights, std::span<double> g) const {
  NetworkPass pass(shape_, x, inputs_.center());
  Vector derivative(shape_.outputs);
  inputs_.for_each(samples, [&](std::size_t i, const PickedRows& inputs) {
    std::ranges::copy(pass.forward(inputs), derivative.begin());
    differentiate(derivative, samples[i]);
    if (!weights.empty()) scale(derivative, weights[i]);
    pass.backward(inputs, derivative);
  });
  pass.add_gradient(g);
}

double Network::value_and_gradient(std::span<const double> x, Samples samples,
                                   std::span<double> g) const {
  NetworkPass pass(shape_, x, inputs_.center());
  Vector derivative(shape_.outputs);
  double total = 0;
  inputs_.for_each(samples, [&](std::size_t i, const PickedRows& inputs) {
    std::ranges::copy(pass.forward(inputs), derivative.begin());
    total += loss_value(derivative, samples[i]);
    differentiate(derivative, samples[i]);
    pass.backward(inputs, derivative);
  });
  pass.add_gradient(g);
  return total;
}

Vector Network::sample_lipschitz() const {
  const Vector x = start(/*seed=*/1);
  const std::vector<Layer> layers = shape_.layers();
  Vector above(layers.size(), 1);  // of a layer: the product of |W^k|^2 over those behind it
  for (std::size_t l = layers.size() - 1; l > 0; --l)
    above[l - 1] = above[l] * squared_norm(layers[l], x);
  const double curvature = *loss_.curvature();
  Vector lipschitz(num_samples());
  NetworkPass pass(shape_, x, inputs_.center());
  inputs_.for_each(all_samples(num_samples()), [&](std::size_t i, const PickedRows& inputs) {
    pass.forward(inputs);
    double sum =
        (1 + dot(inputs.factors, inputs.factors) + dot(inputs_.center(), inputs_.center())) *
        above[0];
    for (std::size_t l = 1; l < layers.size(); ++l)
      sum += (1 + pass.squared_signal(l - 1)) * above[l];
    lipschitz[i] = curvature * weight(static_cast<SampleIndex>(i)) * sum;
  });
  return lipschitz;
}

void Network::add_curvature(std::span<const double> v, Samples samples,
                            std::span<double> out) const {
  const double length = norm(v);
  if (length == 0) return;
  const Vector x = start(/*seed=*/1);
  const double step = kDifference * (1 + norm(x)) / length;
  Vector up = x, down = x, at_up(dimension_, 0), at_down(dimension_, 0);
  add_scaled(up, step, v);
  add_scaled(down, -step, v);
  add_gradient(up, samples, {}, at_up);
  add_gradient(down, samples, {}, at_down);
  for (std::size_t j = 0; j < dimension_; ++j) out[j] += (at_up[j] - at_down[j]) / (2 * step);
}

}  // namespace asynprox
