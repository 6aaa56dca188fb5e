// A network at one x, forwards and backwards, a sample at a time: what a batch's gradient is made
// of. Weights are turned around once per batch, so that inner loops run over the units of a layer,
// and skip inputs that are zero. Owned by one thread.
#pragma once

#include <span>
#include <vector>

#include "asynprox/linalg/picked_rows.h"
#include "asynprox/sums/network_shape.h"

namespace asynprox {

class NetworkPass {
 public:
  // x has to outlive this. `center` (mu; may be empty) is taken off the inputs, which stay sparse.
  NetworkPass(const NetworkShape& shape, std::span<const double> x,
              std::span<const double> center = {});

  // The outputs for these inputs (the columns that are not zero, and their values), valid until the
  // next call.
  std::span<const double> forward(const PickedRows& inputs);

  // Adds the gradient of a sample whose loss has this derivative in the outputs; the last forward()
  // was with the same inputs.
  void backward(const PickedRows& inputs, std::span<const double> derivative);

  // g += all that backward() has added.
  void add_gradient(std::span<double> g) const;

  // |a^l|^2 of the last forward(), of a hidden layer.
  double squared_signal(std::size_t layer) const;

 private:
  struct State {
    Layer layer;
    Vector weights;   // turned around: the units' weights of an input side by side
    Vector biases;    // with mu'W taken off those of the first layer
    Vector gradient;  // as `weights`; made when there is one
    Vector gradient_biases;
    Vector signals;                // a, or the outputs
    Vector slopes;                 // derivative of the loss in z
    std::vector<Key> active = {};  // which signals are not zero, and those
    Vector active_signals = {};
  };

  void activate(State& state) const;

  NetworkShape shape_;
  std::span<const double> x_, center_;
  std::vector<State> states_;
  std::vector<Key> all_units_;  // 0, 1, 2, ...
};

}  // namespace asynprox
