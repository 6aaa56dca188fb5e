// An f with the core alone, for tests of what is made of that.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

#include "asynprox/linalg/for_samples.h"

namespace asynprox {

// F(x; i) = (x_i - i)^4: no linear model, and nothing but what a finite sum must have.
struct Quartic {
  std::size_t dimension() const { return 3; }
  std::size_t num_samples() const { return 3; }
  double value(std::span<const double> x, Samples samples) const {
    double sum = 0;
    for (const SampleIndex i : samples) sum += std::pow(x[i] - i, 4);
    return sum;
  }
  void add_gradient(std::span<const double> x, Samples samples, std::span<const double> weights,
                    std::span<double> g) const {
    for (std::size_t s = 0; s < samples.size(); ++s) {
      const SampleIndex i = samples[s];
      g[i] += (weights.empty() ? 1 : weights[s]) * 4 * std::pow(x[i] - i, 3);
    }
  }
};

}  // namespace asynprox
