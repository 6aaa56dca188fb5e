#include "asynprox/sums/network_pass.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace asynprox {
namespace {

// out[j * units + k] = in[k * stride + j], in squares that fit the first cache.
void turn_around(const Layer& layer, const double* in, std::span<double> out) {
  constexpr std::size_t kSquare = 16;
  for (std::size_t k0 = 0; k0 < layer.units; k0 += kSquare)
    for (std::size_t j0 = 0; j0 < layer.inputs; j0 += kSquare)
      for (std::size_t j = j0; j < std::min(j0 + kSquare, layer.inputs); ++j)
        for (std::size_t k = k0; k < std::min(k0 + kSquare, layer.units); ++k)
          out[j * layer.units + k] = in[k * layer.stride() + j];
}

// out[k * stride + j] += in[j * units + k].
void add_turned_back(const Layer& layer, std::span<const double> in, double* out) {
  constexpr std::size_t kSquare = 16;
  for (std::size_t k0 = 0; k0 < layer.units; k0 += kSquare)
    for (std::size_t j0 = 0; j0 < layer.inputs; j0 += kSquare)
      for (std::size_t k = k0; k < std::min(k0 + kSquare, layer.units); ++k)
        for (std::size_t j = j0; j < std::min(j0 + kSquare, layer.inputs); ++j)
          out[k * layer.stride() + j] += in[j * layer.units + k];
}

}  // namespace

NetworkPass::NetworkPass(const NetworkShape& shape, std::span<const double> x,
                         std::span<const double> center)
    : shape_(shape), x_(x), center_(center) {
  std::size_t units_max = 0;
  for (const Layer& layer : shape.layers()) {
    State state = {.layer = layer,
                   .weights = Vector(layer.inputs * layer.units),
                   .biases = Vector(layer.units),
                   .gradient = {},
                   .gradient_biases = Vector(layer.units, 0),
                   .signals = Vector(layer.units),
                   .slopes = Vector(layer.units)};
    const double* const weights = x.data() + layer.first;
    turn_around(layer, weights, state.weights);
    for (std::size_t k = 0; k < layer.units; ++k)
      state.biases[k] = weights[k * layer.stride() + layer.inputs];
    states_.push_back(std::move(state));
    units_max = std::max(units_max, layer.units);
  }
  State& first = states_.front();
  for (std::size_t j = 0; j < center.size(); ++j)
    add_scaled(first.biases, -center[j],
               std::span(first.weights).subspan(j * first.layer.units, first.layer.units));
  all_units_.resize(units_max);
  std::iota(all_units_.begin(), all_units_.end(), Key{0});
}

void NetworkPass::activate(State& state) const {
  state.active.clear();
  state.active_signals.clear();
  for (std::size_t k = 0; k < state.signals.size(); ++k) {
    double& a = state.signals[k];
    a = shape_.activation == Activation::relu ? std::max(a, 0.0) : std::tanh(a);
    if (a == 0) continue;
    state.active.push_back(static_cast<Key>(k));
    state.active_signals.push_back(a);
  }
}

std::span<const double> NetworkPass::forward(const PickedRows& inputs) {
  PickedRows from = inputs;
  for (State& state : states_) {
    std::ranges::copy(state.biases, state.signals.begin());
    add_combination(from, state.weights.data(), state.layer.units, state.signals);
    if (&state == &states_.back()) break;
    activate(state);
    from = {state.active, state.active_signals};
  }
  return states_.back().signals;
}

void NetworkPass::backward(const PickedRows& inputs, std::span<const double> derivative) {
  std::ranges::copy(derivative, states_.back().slopes.begin());
  for (std::size_t l = states_.size(); l-- > 0;) {
    State& state = states_[l];
    if (state.gradient.empty()) state.gradient.assign(state.weights.size(), 0);
    const PickedRows from =
        l == 0 ? inputs : PickedRows{states_[l - 1].active, states_[l - 1].active_signals};
    add_outer_product(from, state.slopes, state.gradient.data(), state.layer.units);
    add_scaled(state.gradient_biases, 1, state.slopes);
    if (l == 0) break;
    State& below = states_[l - 1];
    std::ranges::fill(below.slopes, 0);
    add_combination({std::span(all_units_).first(state.layer.units), state.slopes},
                    x_.data() + state.layer.first, state.layer.stride(), below.slopes);
    for (std::size_t k = 0; k < below.slopes.size(); ++k) {
      const double a = below.signals[k];
      below.slopes[k] *= shape_.activation == Activation::relu ? (a > 0 ? 1 : 0) : 1 - a * a;
    }
  }
}

void NetworkPass::add_gradient(std::span<double> g) const {
  for (const State& state : states_) {
    if (state.gradient.empty()) continue;
    const Layer& layer = state.layer;
    double* const out = g.data() + layer.first;
    add_turned_back(layer, state.gradient, out);
    for (std::size_t k = 0; k < layer.units; ++k) {
      const double slope = state.gradient_biases[k];
      out[k * layer.stride() + layer.inputs] += slope;
      if (&state == &states_.front())
        add_scaled(std::span(out + k * layer.stride(), center_.size()), -slope, center_);
    }
  }
}

double NetworkPass::squared_signal(std::size_t layer) const {
  return dot(states_[layer].signals, states_[layer].signals);
}

}  // namespace asynprox
