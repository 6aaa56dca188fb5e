// How curved f is: what step sizes are made of.
//
// Lanczos (1950), An iteration method for the solution of the eigenvalue problem of linear
// differential and integral operators; bounds for a random start: Kuczynski and Wozniakowski
// (1992), Estimating the largest eigenvalue by the power and Lanczos algorithms with a random
// start.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace asynprox {

class AnyFiniteSum;  // sums/any_finite_sum.h

struct Smoothness {
  // L, the largest curvature of f: an estimate for choosing steps. Empty where f tells nothing.
  std::optional<double> estimate;

  // A bound on L that is safe to reason with, and why it holds. Empty where what f tells is local.
  std::optional<double> bound;
  std::string bound_reason;

  double sample_mean = 0;  // mean of L_i
  double sample_max = 0;   // largest L_i
};

struct SmoothnessOptions {
  int rounds_max = 10;  // of Lanczos
  // Draw this many at random, beside those whose L_i is far above the mean, which are all used; 0:
  // use all samples.
  std::size_t samples_max = 0;
  std::uint64_t seed = 1;
  std::span<const double> scales = {};  // of scaling.h, if it is to be of the scaled problem
};

// Lanczos on a bound of the Hessian, sum_i B_i / n (see finite_sum.h). With all samples, the bound
// on L it gives holds with probability 1 - 1e-6 for a start that is uniform on the sphere (ours is
// nearly so); f's own L, and the mean of L_i, always hold.
Smoothness measure_smoothness(const AnyFiniteSum& f, const SmoothnessOptions& options);

// The largest eigenvalue of the symmetric tridiagonal matrix with this diagonal and off-diagonal.
double largest_eigenvalue(std::span<const double> diagonal, std::span<const double> off_diagonal);

}  // namespace asynprox
