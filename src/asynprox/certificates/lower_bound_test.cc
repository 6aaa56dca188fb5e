#include "asynprox/certificates/lower_bound.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/base/random.h"
#include "asynprox/losses/all.h"
#include "asynprox/problem/smoothness.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox {
namespace {

// Rows (2, 0) and (0, 1).
Problem problem_of(const AnyLoss& loss, const AnyRegularizer& h) {
  Dataset data;
  data.rows =
      Rows::narrowed({.num_columns = 2, .offsets = {0, 1, 2}, .columns = {0, 1}, .values = {2, 1}});
  data.labels = {1, -1};
  return make_problem(LinearSum(data, data.labels, loss), h);
}

TEST(LowerBound, IsZeroForLossesThatAreNotNegative) {
  const auto bound = lower_bound(problem_of(LogisticLoss{}, L1{.lambda = 1}), std::nullopt);
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->value, 0);
}

TEST(LowerBound, IsTheOptimumOfPcaOnABall) {
  // f = -(4 x_1^2 + x_2^2) / 4, L = 2: on a ball of radius 3 the lowest is f(3, 0) = -9.
  const auto bound = lower_bound(problem_of(PcaLoss{}, NonNegBall{.radius = 3}), 2);
  ASSERT_TRUE(bound);
  EXPECT_DOUBLE_EQ(bound->value, -9);
}

TEST(LowerBound, IsUnknownWithoutABallOrAnL) {
  EXPECT_FALSE(lower_bound(problem_of(PcaLoss{}, L1{.lambda = 1}), 2));
  EXPECT_FALSE(lower_bound(problem_of(PcaLoss{}, NonNegBall{}), std::nullopt));
}

// For every loss and every set, no point of the set is lower.
TEST(LowerBound, IsBelowEveryPoint) {
  const Random random(5);
  for_each_member(ScalarLosses{}, [&]<class Loss>(std::type_identity<Loss>) {
    for (const AnyRegularizer& h : {AnyRegularizer(L2Ball{.radius = 2}), AnyRegularizer(Simplex{}),
                                    AnyRegularizer(L1Ball{.radius = 3}),
                                    AnyRegularizer(NonNegBall{}), AnyRegularizer(Zero{})}) {
      const Problem problem = problem_of(Loss{}, h);
      const Smoothness smoothness = measure_smoothness(problem.f, {});
      const auto bound = lower_bound(problem, smoothness.bound);
      if (!bound) continue;
      for (std::uint64_t i = 0; i < 200; i += 2) {
        Vector x = {8 * random.uniform_at(i) - 4, 8 * random.uniform_at(i + 1) - 4};
        problem.h.prox(x, 1);
        EXPECT_GE(objective(problem, x).total(), bound->value - 1e-12) << Loss::name;
      }
    }
  });
}

}  // namespace
}  // namespace asynprox
