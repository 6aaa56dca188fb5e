#include "asynprox/regularizers/slope.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>

#include "asynprox/base/errors.h"
#include "asynprox/regularizers/nonneg.h"
#include "asynprox/regularizers/scaled_slope.h"

namespace asynprox {
namespace {

Vector discovery_weights(double q, std::size_t dimension) {
  Vector w(dimension);
  double z = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < dimension; ++j) {
    z = normal_quantile_above(
        q * (static_cast<double>(j) + 1) / (2 * static_cast<double>(dimension)), z);
    w[j] = j == 0 ? z : std::min(z / w[0], 1.0);
  }
  if (dimension > 0) w[0] = 1;
  return w;
}

void check(const Slope& h, std::size_t dimension) {
  const Vector& w = h.weights.numbers;
  if (w.size() != dimension)
    throw ContractError(
        fmt::format("slope: weights '{}': expected {} numbers, one per coordinate, got {}",
                    h.weights.path, dimension, w.size()));
  for (std::size_t j = 0; j < dimension; ++j) {
    const double before = j == 0 ? std::numeric_limits<double>::max() : w[j - 1];
    if (!(w[j] >= 0 && w[j] <= before && std::isfinite(h.lambda * w[j])))
      throw ContractError(fmt::format(
          "slope: weights '{}', number {}: expected >= 0 and none above the one before, got {}",
          h.weights.path, j + 1, w[j]));
  }
}

Vector falling_sizes(std::span<const double> x) {
  Vector sizes(x.size());
  std::ranges::transform(x, sizes.begin(), [](double x_j) { return std::abs(x_j); });
  std::ranges::sort(sizes, std::greater());
  return sizes;
}

// Adjacent entries that share their average, kept as differences from the first: entries that are
// equal average to themselves, to the bit.
struct Block {
  double first = 0;
  double above_first = 0;  // summed
  double count = 1;
  double average() const { return first + above_first / count; }
};

Block joined(const Block& a, const Block& b) {
  return {a.first, a.above_first + b.above_first + b.count * (b.first - a.first),
          a.count + b.count};
}

bool has_nan(std::span<const double> x) {
  return std::ranges::any_of(x, [](double x_j) { return std::isnan(x_j); });
}

}  // namespace

double normal_quantile_above(double p, double start) {
  // P(Z > z) <= exp(-z^2 / 2) / 2, so this is not below z either.
  double z = std::min(start, std::sqrt(2 * std::max(-std::log(2 * p), 0.0)));
  // Newton's method for log P(Z > z) = log p: it is concave, so that all guesses stay above z.
  for (int round = 0; round < 100; ++round) {
    const double above = 0.5 * std::erfc(z / std::numbers::sqrt2);
    const double density = std::exp(-0.5 * z * z) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
    const double next = z + std::log(above / p) * above / density;
    if (!(next < z)) break;
    z = next;
  }
  return std::max(z, 0.0);
}

void Slope::bind(std::size_t dimension) {
  const bool has_weights = !weights.path.empty() || !weights.numbers.empty();
  require(has_weights != (q != 0), "slope: expected exactly one of q=RATE and weights=FILE");
  if (has_weights) check(*this, dimension);
  w = has_weights ? weights.numbers : discovery_weights(q, dimension);
}

double Slope::value(std::span<const double> x) const {
  ensure(w.size() == x.size(), "slope: used before bind, or with another size");
  if (has_nan(x)) return std::numeric_limits<double>::quiet_NaN();
  return lambda * dot(falling_sizes(x), w);
}

void Slope::prox(std::span<double> v, double eta) const {
  ensure(w.size() == v.size(), "slope: used before bind, or with another size");
  if (has_nan(v)) return;
  std::vector<Key> order(v.size());
  std::iota(order.begin(), order.end(), Key{0});
  std::ranges::sort(order, std::greater(), [&](Key j) { return std::abs(v[j]); });

  // What is lowered by more than all sizes together is zero, with whatever it is averaged; so is it
  // if lowered by twice that, and nothing overflows.
  double total = 0;
  for (const double v_j : v) total += std::abs(v_j);
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < order.size(); ++i) {
    // First of all lambda w: eta lambda may be infinite, and infinity times a weight of 0 is nan.
    Block block{std::abs(v[order[i]]) - std::min(eta * (lambda * w[i]), 2 * total)};
    for (; !blocks.empty() && blocks.back().average() < block.average(); blocks.pop_back())
      block = joined(blocks.back(), block);
    blocks.push_back(block);
  }
  std::size_t i = 0;
  for (const Block& block : blocks) {
    const double size = positive_part(block.average());
    for (const std::size_t end = i + static_cast<std::size_t>(block.count); i < end; ++i)
      v[order[i]] = size == 0 ? 0 : std::copysign(size, v[order[i]]);
  }
}

void Slope::prox_scaled(std::span<double> v, std::span<const double> etas) const {
  ensure(w.size() == v.size(), "slope: used before bind, or with another size");
  if (!has_nan(v)) shrink_sorted_scaled(v, etas, lambda, w);
}

double Slope::zero_strength(std::span<const double> v) const {
  ensure(w.size() == v.size(), "slope: used before bind, or with another size");
  double largest = 0, sizes_sum = 0, weights_sum = 0;
  const Vector sizes = falling_sizes(v);
  for (std::size_t k = 0; k < sizes.size() && sizes[k] > 0; ++k) {
    sizes_sum += sizes[k];
    weights_sum += w[k];
    largest = std::max(largest, sizes_sum / weights_sum);
  }
  return largest;
}

}  // namespace asynprox
