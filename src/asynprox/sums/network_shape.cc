#include "asynprox/sums/network_shape.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "asynprox/base/random.h"

namespace asynprox {

std::string_view name(Activation activation) {
  return activation == Activation::relu ? "relu" : "tanh";
}

std::vector<Layer> NetworkShape::layers() const {
  std::vector<Layer> layers;
  std::size_t fan_in = inputs, first = 0;
  const auto add = [&](std::size_t units) {
    layers.push_back({.inputs = fan_in, .units = units, .first = first});
    first += layers.back().size();
    fan_in = units;
  };
  for (const std::size_t units : hidden) add(units);
  add(outputs);
  return layers;
}

std::size_t NetworkShape::dimension() const {
  const Layer last = layers().back();
  return last.first + last.size();
}

Vector NetworkShape::unit_groups() const {
  const std::vector<Layer> all = layers();
  Vector groups(dimension());
  double group = 0;
  for (std::size_t l = 0; l + 1 < all.size(); ++l)
    for (std::size_t unit = 0; unit < all[l].units; ++unit, ++group)
      std::fill_n(
          groups.begin() + static_cast<std::ptrdiff_t>(all[l].first + unit * all[l].stride()),
          all[l].stride(), group);
  // Behind them: without a hidden layer an output is a group.
  const Layer& last = all.back();
  const double first_of_last = group - static_cast<double>(hidden.empty() ? 0 : last.inputs);
  for (std::size_t unit = 0; unit < last.units; ++unit, ++group) {
    double* const at = groups.data() + last.first + unit * last.stride();
    for (std::size_t j = 0; j < last.inputs; ++j)
      at[j] = hidden.empty() ? group : first_of_last + static_cast<double>(j);
    at[last.inputs] = group;
  }
  return groups;
}

std::vector<std::size_t> NetworkShape::zero_units(std::span<const double> x) const {
  std::vector<std::size_t> counts;
  const std::vector<Layer> all = layers();
  for (std::size_t l = 0; l + 1 < all.size(); ++l) {
    std::size_t count = 0;
    for (std::size_t unit = 0; unit < all[l].units; ++unit)
      count +=
          count_nonzeros(x.subspan(all[l].first + unit * all[l].stride(), all[l].stride())) == 0;
    counts.push_back(count);
  }
  return counts;
}

Vector NetworkShape::start(double mean_square_length, std::uint64_t seed) const {
  const Random random = Random(seed).stream(0x4e4554574f524b);
  Vector x(dimension(), 0);
  const std::vector<Layer> all = layers();
  const double gain =
      std::pow(std::max(mean_square_length, 1e-300), -1 / static_cast<double>(all.size()));
  for (const Layer& layer : all) {
    const bool last = &layer == &all.back();
    // A relu lets half of the square through. In the last layer there are more inputs than outputs.
    const double passed = activation == Activation::relu && !last ? 0.5 : 1;
    const std::size_t width = last ? std::max(layer.inputs, layer.units) : layer.units;
    // Uniform numbers in [-1, 1) have the mean square 1/3.
    const double scale = std::sqrt(3 * gain / (passed * static_cast<double>(width)));
    for (std::size_t unit = 0; unit < layer.units; ++unit)
      for (std::size_t j = 0; j < layer.inputs; ++j) {
        const std::size_t at = layer.first + unit * layer.stride() + j;
        x[at] = scale * (2 * random.uniform_at(at) - 1);
      }
  }
  return x;
}

}  // namespace asynprox
