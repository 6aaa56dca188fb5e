// Dense vectors, and the few operations on them that everything else is written with.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace asynprox {

using Vector = std::vector<double>;

// A coordinate of the model: the number of a feature, from 0.
using Key = std::uint32_t;

// The number of a sample, from 0.
using SampleIndex = std::uint32_t;

inline double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

// In lanes, so that no addition waits for the one before it.
inline double sum(std::span<const double> a) {
  constexpr std::size_t kLanes = 8;
  std::array<double, kLanes> sums{};
  std::size_t j = 0;
  for (; j + kLanes <= a.size(); j += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += a[j + lane];
  for (; j < a.size(); ++j) sums[0] += a[j];
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

inline double norm(std::span<const double> a) { return std::sqrt(dot(a, a)); }

// In place: y += factor * x.
inline void add_scaled(std::span<double> y, double factor, std::span<const double> x) {
  for (std::size_t j = 0; j < y.size(); ++j) y[j] += factor * x[j];
}

// In place: y *= factor.
inline void scale(std::span<double> y, double factor) {
  for (double& y_j : y) y_j *= factor;
}

// x - x is 0 for a finite number and nan otherwise; the sum needs no branch, and no addition waits
// for the one before it.
inline bool all_finite(std::span<const double> a) {
  constexpr std::size_t kLanes = 8;
  std::array<double, kLanes> sums{};
  std::size_t j = 0;
  for (; j + kLanes <= a.size(); j += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += a[j + lane] - a[j + lane];
  for (; j < a.size(); ++j) sums[0] += a[j] - a[j];
  return std::accumulate(sums.begin(), sums.end(), 0.0) == 0;
}

inline std::size_t count_nonzeros(std::span<const double> a) {
  std::size_t count = 0;
  for (const double a_j : a) count += a_j != 0 ? 1 : 0;
  return count;
}

}  // namespace asynprox
