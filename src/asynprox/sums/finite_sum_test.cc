#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/problem/problem.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/sums/any_finite_sum.h"

namespace asynprox {
namespace {

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

TEST(AnyFiniteSum, MakesWhatAFiniteSumDoesNotOffer) {
  const AnyFiniteSum f = Quartic{};
  EXPECT_FALSE(f.convex());
  EXPECT_EQ(f.mean_keys(), 3);
  Vector g;
  const Vector x = {1, 1, 1};
  EXPECT_DOUBLE_EQ(value_and_gradient(f, x, g), 2.0 / 3);
  EXPECT_EQ(g, (Vector{4.0 / 3, 0, -4.0 / 3}));
  // The mean of |grad F_i|^2 is 32/3, |grad f|^2 is 32/9.
  EXPECT_NEAR(gradient_variance(f, x), 32.0 / 3 - 32.0 / 9, 1e-14);
}

TEST(Problem, AddsLossAndRegulariser) {
  const Problem problem = make_problem(Quartic{}, L1{.lambda = 0.5});
  const Objective value = objective(problem, Vector{1, 1, 1});
  EXPECT_DOUBLE_EQ(value.loss, 2.0 / 3);
  EXPECT_DOUBLE_EQ(value.regularizer, 1.5);
  EXPECT_DOUBLE_EQ(value.total(), 2.0 / 3 + 1.5);
}

}  // namespace
}  // namespace asynprox
