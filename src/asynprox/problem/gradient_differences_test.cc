#include "asynprox/problem/gradient_differences.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <limits>

#include "asynprox/regularizers/all.h"

namespace asynprox {
namespace {

// F(x; i) = sum_j s_ij phi(x_j), by phi' and curvatures s_ij.
struct Separable {
  std::function<double(double)> slope;
  std::vector<Vector> curvatures;

  std::size_t dimension() const { return curvatures.front().size(); }
  std::size_t num_samples() const { return curvatures.size(); }
  void add_gradient(std::span<const double> x, Samples samples, std::span<const double> weights,
                    std::span<double> g) const {
    for (std::size_t i = 0; i < samples.size(); ++i)
      for (std::size_t j = 0; j < x.size(); ++j)
        g[j] += (weights.empty() ? 1 : weights[i]) * curvatures[samples[i]][j] * slope(x[j]);
  }
};

double identity(double x) { return x; }

TEST(GradientDifferences, FindTwiceTheLargestCurvatures) {
  // The mean has curvatures 2, 3, 7 and the samples at most 12.
  const Problem problem =
      make_problem(Separable{identity, {{1, 4, 2}, {3, 2, 12}}}, L1{.lambda = 0.1});
  for (const Vector& x : {Vector{0, 0, 0}, Vector{1, -2, 30}}) {
    const Smoothness found = smoothness_by_differences(problem, x, /*seed=*/3);
    EXPECT_NEAR(found.estimate.value(), 2 * 7, 0.1);
    EXPECT_NEAR(found.sample_max, 2 * 12, 0.1);
    EXPECT_EQ(found.sample_mean, found.sample_max);
    EXPECT_EQ(found.bound, std::nullopt);
  }
}

TEST(GradientDifferences, FindTheLargestCurvatureOfASampleAlone) {
  const Problem problem =
      make_problem(Separable{identity, {{1, 4, 2}, {3, 2, 12}}}, L1{.lambda = 0.1});
  EXPECT_NEAR(sample_lipschitz_by_differences(problem, Vector{1, -2, 30}, /*seed=*/3), 2 * 12, 0.1);
}

TEST(GradientDifferences, EndAtAnInterrupt) {
  std::atomic<bool> interrupt = false;
  int gradients = 0;
  const auto third = [&](double x) {
    interrupt = ++gradients >= 3;
    return x;
  };
  const Problem problem = make_problem(Separable{third, {{1}, {2}, {3}, {4}, {5}}}, Zero{});
  smoothness_by_differences(problem, Vector{1}, /*seed=*/3, &interrupt);
  // One gradient of all five may be under way, and one at the start of each part.
  EXPECT_LE(gradients, 3 + 3 * 5);
}

TEST(GradientDifferences, DependOnTheSeedAlone) {
  const Problem problem = make_problem(Separable{identity, {{1, 4, 2}, {3, 2, 12}}}, Zero{});
  const Vector x = {1, 2, 3};
  EXPECT_EQ(smoothness_by_differences(problem, x, 3).estimate,
            smoothness_by_differences(problem, x, 3).estimate);
}

// phi' = 0 up to 1 and steep beyond: nothing at the start tells of it, the first step does.
TEST(GradientDifferences, GrowAlongTheFirstStep) {
  const auto steep_ahead = [](double x) { return x < 0.5 ? -1.0 : -1 + 100 * (x - 0.5); };
  const Problem problem = make_problem(Separable{steep_ahead, {{1}}}, Zero{});
  const Smoothness found = smoothness_by_differences(problem, Vector{0}, 1);
  // The step at 1 / L ends where the gradient changes by at most L times its length.
  EXPECT_GT(found.estimate.value(), 2);
  EXPECT_LE(found.estimate.value(), 2 * 100);
}

TEST(GradientDifferences, AreZeroForALinearFunction) {
  const auto constant = [](double) { return 1.0; };
  const Problem problem = make_problem(Separable{constant, {{1, 2}}}, Zero{});
  EXPECT_NEAR(smoothness_by_differences(problem, Vector{0, 0}, 1).estimate.value(), 0, 1e-9);
}

TEST(GradientDifferences, AreZeroWhereGradientsAreNotFinite) {
  const auto none = [](double) { return std::numeric_limits<double>::quiet_NaN(); };
  const Problem problem = make_problem(Separable{none, {{1, 2}}}, Zero{});
  EXPECT_EQ(smoothness_by_differences(problem, Vector{0, 0}, 1).estimate, 0);
}

// Beyond 1 there is no gradient: sqrt(1 - x), whose first step would end there.
TEST(GradientDifferences, ShortenAStepThatLeavesTheDomain) {
  const auto root = [](double x) { return -std::sqrt(1 - x); };
  const Problem problem = make_problem(Separable{root, {{1}}}, Zero{});
  const Smoothness found = smoothness_by_differences(problem, Vector{0}, 1);
  EXPECT_TRUE(std::isfinite(found.estimate.value()));
  EXPECT_GE(found.estimate.value(), 2 * 0.5);  // phi'' = 1/2 at 0
}

}  // namespace
}  // namespace asynprox
