#include "asynprox/regularizers/scaled_slope.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

#include "asynprox/linalg/vectors.h"
#include "asynprox/regularizers/sets.h"

namespace asynprox {
namespace {

// A part that gains less than this share of what it is computed from gains nothing but rounding.
constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();

struct Coordinate {
  std::size_t j = 0;
  double size = 0;    // |v_j|
  double weight = 1;  // 1 / s_j
  double gain = 0;    // (|v_j| - t) / s_j, of the set it is in
};

// Sorts the coordinates by what they gain above t. Returns how many of them are the part that gains
// most; 0: none gains.
std::size_t sort_by_gain(std::span<Coordinate> set, std::span<const double> penalties, double t) {
  for (Coordinate& c : set) c.gain = c.weight * (c.size - t);
  std::ranges::sort(set, std::greater(), &Coordinate::gain);
  double gained = 0, added = 0, most = 0;
  std::size_t part = 0;
  for (std::size_t i = 0; i + 1 < set.size(); ++i) {
    gained += set[i].gain - penalties[i];
    added += std::abs(set[i].gain) + penalties[i];
    if (gained > most && gained > kRounding * added) {
      most = gained;
      part = i + 1;
    }
  }
  return part;
}

double common_size(std::span<const Coordinate> set, std::span<const double> penalties) {
  double moment = 0, weight = 0, penalty = 0;
  for (std::size_t i = 0; i < set.size(); ++i) {
    moment += set[i].weight * set[i].size;
    weight += set[i].weight;
    penalty += penalties[i];
  }
  return (moment - penalty) / weight;
}

}  // namespace

void shrink_sorted_scaled(std::span<double> v, std::span<const double> etas, double lambda,
                          std::span<const double> weights) {
  if (lambda == 0 || v.empty()) return;
  // In units of the largest 1 / s_j nothing overflows.
  const double least = *std::ranges::min_element(etas);
  std::vector<Coordinate> all;
  double total = 0;
  for (std::size_t j = 0; j < v.size(); ++j) {
    all.push_back({j, std::abs(v[j]), std::max(least / etas[j], kRatioLeast)});
    total += all.back().weight * all.back().size;
  }
  // Penalties above all sizes together make everything zero; so does twice that.
  Vector penalties;
  for (const double w : weights) penalties.push_back(std::min(least * (lambda * w), 2 * total));

  struct Range {
    std::size_t first, count;
  };
  std::vector<Range> sets = {{0, all.size()}};
  while (!sets.empty()) {
    const auto [first, count] = sets.back();
    sets.pop_back();
    const auto set = std::span(all).subspan(first, count);
    const auto of_set = std::span<const double>(penalties).subspan(first, count);
    const double t = common_size(set, of_set);
    const std::size_t part = sort_by_gain(set, of_set, t);
    if (part > 0) sets.push_back({first, part});
    if (part > 0 && t > 0) sets.push_back({first + part, count - part});
    // What is not looked into further is t, or zero where that is below.
    const auto rest = part == 0 ? set : t > 0 ? set.first(0) : set.subspan(part);
    for (const Coordinate& c : rest) v[c.j] = t > 0 ? std::copysign(t, v[c.j]) : 0;
  }
}

}  // namespace asynprox
