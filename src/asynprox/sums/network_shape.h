// A network of dense layers, and how its numbers lie in x.
//
//   a^0 = the inputs,   z^l = W^l a^{l-1} + b^l,   a^l = activation(z^l)
//
// The outputs are z of the last layer.
//
// x lies layer by layer, unit by unit: the weights of what comes into a unit, and then its bias,
// side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "asynprox/linalg/vectors.h"

namespace asynprox {

enum class Activation { relu, tanh };

std::string_view name(Activation activation);

// One of them.
struct Layer {
  std::size_t inputs = 0;
  std::size_t units = 0;
  std::size_t first = 0;  // where it begins in x

  std::size_t stride() const { return inputs + 1; }  // from unit to unit
  std::size_t size() const { return units * stride(); }
};

struct NetworkShape {
  std::size_t inputs = 0;
  std::vector<std::size_t> hidden = {};  // units of each hidden layer
  std::size_t outputs = 1;
  Activation activation = Activation::relu;

  std::vector<Layer> layers() const;
  std::size_t dimension() const;

  // Each coordinate's group, for group-lasso. A hidden unit is a group: what comes into it and its
  // bias, and, in the last hidden layer, what goes out of it too (before that, what goes out
  // belongs to the units that it goes into). Where a group is zero the unit is gone: it stays zero,
  // and can be left out. A bias of the outputs is a group of its own.
  Vector unit_groups() const;

  // How many units of each hidden layer are gone: all that comes in is zero.
  std::vector<std::size_t> zero_units(std::span<const double> x) const;

  // Biases 0, and random weights with which every layer changes the length of a signal by the same
  // factor, so that inputs of the mean square length given become outputs of length about one
  // (less, if they are fewer than the units before them). All layers are then about as curved, and
  // one step size suits them all.
  Vector start(double mean_square_length, std::uint64_t seed) const;
};

}  // namespace asynprox
