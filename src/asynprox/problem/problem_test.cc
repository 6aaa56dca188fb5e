#include "asynprox/problem/problem.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/losses/all.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox {
namespace {

// Least squares with the identity: f(x) = |x - b|^2 / 4, b = (1, 2).
AnyFiniteSum identity_squares() {
  Dataset data;
  data.rows =
      Rows::narrowed({.num_columns = 2, .offsets = {0, 1, 2}, .columns = {0, 1}, .values = {1, 1}});
  data.labels = {1, 2};
  return LinearSum(data, data.labels, SquaredLoss{});
}

TEST(GradientMapping, VanishesExactlyAtTheMinimiser) {
  // With l1 and lambda = 0.25: x_j = b_j - 2 lambda.
  const AnyRegularizer h = L1{.lambda = 0.25};
  const Vector minimiser = {0.5, 1.5};
  Vector g;
  value_and_gradient(identity_squares(), minimiser, g);
  for (const double eta : {1e-3, 1.0, 1e3})
    EXPECT_NEAR(gradient_mapping_norm(h, minimiser, g, eta), 0, 1e-12);
}

TEST(GradientMapping, IsTheGradientWithoutARegulariser) {
  const Vector x = {3, -1};
  Vector g;
  EXPECT_DOUBLE_EQ(value_and_gradient(identity_squares(), x, g), (4 + 9) / 4.0);
  EXPECT_EQ(g, (Vector{1, -1.5}));
  EXPECT_NEAR(gradient_mapping_norm(Zero{}, x, g, 0.5), std::sqrt(1 + 2.25), 1e-15);
}

// Two samples with gradients x + 1 and x - 1: the mean is x, the variance 1 wherever x is.
TEST(GradientVariance, IsTheSpreadOfTheSamplesGradients) {
  Dataset data;
  data.rows =
      Rows::narrowed({.num_columns = 1, .offsets = {0, 1, 2}, .columns = {0, 0}, .values = {1, 1}});
  data.labels = {-1, 1};
  const AnyFiniteSum f = LinearSum(data, data.labels, SquaredLoss{});
  for (const double x : {-2.0, 0.0, 5.0}) EXPECT_NEAR(gradient_variance(f, Vector{x}), 1, 1e-13);
}

}  // namespace
}  // namespace asynprox
