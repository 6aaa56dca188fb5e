#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/problem/problem.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/sums/any_finite_sum.h"
#include "asynprox/sums/quartic_testing.h"

namespace asynprox {
namespace {

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
