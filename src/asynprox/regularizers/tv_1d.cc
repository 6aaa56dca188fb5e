#include "asynprox/regularizers/tv_1d.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "asynprox/regularizers/sets.h"
#include "asynprox/regularizers/sums.h"
#include "asynprox/regularizers/taut_string.h"

namespace asynprox {
namespace {

// Of weights 1: over `length` coordinates it rises by `rise`.
struct EvenPiece {
  double rise = 0;
  std::size_t length = 1;

  double slope() const { return rise / static_cast<double>(length); }
  void join(const EvenPiece& before) {
    rise += before.rise;
    length += before.length;
  }
};

// Sums of weights and of weights times v. Weights may be decades apart, so they are only added:
// after a subtraction nothing would be left of small ones.
struct Sums {
  double weight = 0, moment = 0;

  Sums operator+(const Sums& other) const { return {weight + other.weight, moment + other.moment}; }
};

// Of any range of coordinates in logarithmic time: a tree whose node i is the sum of 2 i and
// 2 i + 1.
class RangeSums {
 public:
  explicit RangeSums(const std::vector<Sums>& terms) : count_(terms.size()), nodes_(2 * count_) {
    std::ranges::copy(terms, nodes_.begin() + static_cast<std::ptrdiff_t>(count_));
    for (std::size_t i = count_; i-- > 1;) nodes_[i] = nodes_[2 * i] + nodes_[2 * i + 1];
  }

  const Sums& of_one(std::size_t j) const { return nodes_[count_ + j]; }

  Sums of_range(std::size_t first, std::size_t last) const {
    Sums left, right;
    for (first += count_, last += count_; first < last; first /= 2, last /= 2) {
      if (first % 2 == 1) left = left + nodes_[first++];
      if (last % 2 == 1) right = nodes_[--last] + right;
    }
    return left + right;
  }

 private:
  std::size_t count_;
  std::vector<Sums> nodes_;
};

// As wide as its weights; beside them it rises by `sides` thresholds.
struct WeightedPiece {
  Sums sums;
  int sides = 0;
  double threshold = 0;
  std::size_t length = 1;

  double slope() const { return (sums.moment + sides * threshold) / sums.weight; }
  void join(const WeightedPiece& before) {
    sums = before.sums + sums;
    sides += before.sides;
    length += before.length;
  }
};

void pull_evenly(std::span<double> v, double threshold) {
  pull_tight(
      v, [&](std::size_t j, int sides) { return EvenPiece{v[j] + sides * threshold}; },
      [](EvenPiece& piece, const EvenPiece& fixed, std::size_t) {
        piece.rise -= fixed.rise;
        piece.length -= fixed.length;
      });
}

void pull_weighted(std::span<double> v, const RangeSums& sums, double threshold) {
  pull_tight(
      v, [&](std::size_t j, int sides) { return WeightedPiece{sums.of_one(j), sides, threshold}; },
      [&](WeightedPiece& piece, const WeightedPiece& fixed, std::size_t start) {
        piece.length -= fixed.length;
        piece.sides -= fixed.sides;
        piece.sums = sums.of_range(start, start + piece.length);
      });
}

// A tube so wide that the straight string is inside; wider ones would only round.
bool is_straight(std::span<const double> v, double weight, double threshold) {
  const auto [least, largest] = std::ranges::minmax_element(v);
  return threshold >= 0.5 * weight * (*largest - *least);
}

}  // namespace

void Tv1d::prox(std::span<double> v, double eta) const {
  const double threshold = eta * lambda;
  if (threshold == 0 || v.size() < 2) return;
  const auto count = static_cast<double>(v.size());
  if (is_straight(v, count, threshold)) {
    std::ranges::fill(v, pairwise_sum(0, v.size(), [&](std::size_t j) { return v[j] / count; }));
  } else {
    pull_evenly(v, threshold);
  }
}

void Tv1d::prox_scaled(std::span<double> v, std::span<const double> etas) const {
  if (lambda == 0 || v.size() < 2) return;
  // In units of the largest weight nothing overflows.
  const double least = *std::ranges::min_element(etas), threshold = lambda * least;
  std::vector<Sums> terms;
  for (std::size_t j = 0; j < v.size(); ++j) {
    const double weight = std::max(least / etas[j], kRatioLeast);
    terms.push_back({weight, weight * v[j]});
  }
  const RangeSums sums(terms);
  const Sums all = sums.of_range(0, v.size());
  if (is_straight(v, all.weight, threshold)) {
    std::ranges::fill(v, all.moment / all.weight);
  } else {
    pull_weighted(v, sums, threshold);
  }
}

}  // namespace asynprox
