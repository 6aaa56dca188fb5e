// Sums and norms that lose little to the length of a vector and nothing to its scale.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>

namespace asynprox {

// The sum of term(i), first <= i < last, by halves: the rounding error grows with log(last -
// first).
template <class Term>
double pairwise_sum(std::size_t first, std::size_t last, const Term& term) {
  constexpr std::size_t block = 128;
  if (last - first > block) {
    const std::size_t middle = first + (last - first) / 2;
    return pairwise_sum(first, middle, term) + pairwise_sum(middle, last, term);
  }
  // Four sums at once do not wait for each other.
  std::array<double, 4> sums{};
  std::size_t i = first;
  for (; i + 4 <= last; i += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += term(i + lane);
  for (; i < last; ++i) sums[0] += term(i);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// The Euclidean norm of entry(0), ..., entry(count - 1), also where their squares would overflow or
// vanish.
template <class Entry>
double stable_norm(std::size_t count, const Entry& entry) {
  const double squares = pairwise_sum(0, count, [&](std::size_t i) { return entry(i) * entry(i); });
  if (squares > 1e-280 && squares <= std::numeric_limits<double>::max()) [[likely]]
    return std::sqrt(squares);
  double largest = 0;
  for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, std::abs(entry(i)));
  if (largest == 0 || std::isinf(largest)) return squares;
  return largest * std::sqrt(pairwise_sum(0, count, [&](std::size_t i) {
           return (entry(i) / largest) * (entry(i) / largest);
         }));
}

inline double stable_norm(std::span<const double> x) {
  return stable_norm(x.size(), [&](std::size_t i) { return x[i]; });
}

}  // namespace asynprox
