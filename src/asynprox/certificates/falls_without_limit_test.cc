#include "asynprox/certificates/falls_without_limit.h"

#include <gtest/gtest.h>

#include "asynprox/data/dataset.h"
#include "asynprox/losses/all.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox {
namespace {

Problem of(const AnyLoss& loss, const AnyRegularizer& h) {
  Dataset data;
  data.rows = Rows::narrowed({.num_columns = 2,
                              .offsets = {0, 2, 4, 6},
                              .columns = {0, 1, 0, 1, 0, 1},
                              .values = {1, 2, 0.5, 1, 3, -1}});
  data.labels = {20, 20, 20};
  return make_problem(LinearSum(data, data.labels, loss), h);
}

bool unbounded(const Problem& problem, const Vector& x) {
  return falls_without_limit(problem, x, objective(problem, x).total());
}

TEST(FallsWithoutLimit, WhereAQuadraticIsConcave) {
  const Vector x = {1, 1};
  EXPECT_TRUE(unbounded(of(PcaLoss{}, Zero{}), x));
  EXPECT_TRUE(unbounded(of(PcaLoss{}, NonNeg{}), x));
  EXPECT_TRUE(unbounded(of(PcaLoss{}, L1{.lambda = 0.1}), x));
  EXPECT_TRUE(unbounded(of(PcaLoss{}, SquaredL2{.lambda = 0.1}), x));
}

TEST(FallsWithoutLimit, NotWhereTheRegulariserHoldsIt) {
  const Vector x = {0.5, 0.5};
  for (const AnyRegularizer& h :
       {AnyRegularizer(NonNegBall{.radius = 1}), AnyRegularizer(L2Ball{.radius = 1}),
        AnyRegularizer(SquaredL2{.lambda = 100})})
    EXPECT_FALSE(unbounded(of(PcaLoss{}, h), x)) << h.name();
}

// Its objective is negative at the minimum.
TEST(FallsWithoutLimit, NotWhereAConvexSumIsNegative) {
  const Problem problem = of(PoissonLoss{}, Zero{});
  const Vector x = {1.2, 0.9};
  ASSERT_LT(objective(problem, x).total(), 0);
  EXPECT_FALSE(unbounded(problem, x));
}

}  // namespace
}  // namespace asynprox
