#include "asynprox/certificates/balanced_bound.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/base/random.h"
#include "asynprox/certificates/duality_gap.h"
#include "asynprox/losses/all.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox {
namespace {

// One column, with an entry per sample.
Dataset column(const Vector& entries, const Vector& labels, const Vector& weights = {}) {
  CsrMatrix matrix{.num_columns = 1};
  Dataset data;
  for (const double entry : entries) {
    matrix.columns.push_back(0);
    matrix.values.push_back(entry);
    matrix.offsets.push_back(matrix.columns.size());
  }
  data.labels = labels;
  data.weights = weights;
  data.rows = Rows::plain(matrix);
  return data;
}

Problem problem_of(const Dataset& data, const AnyLoss& loss, const AnyRegularizer& h) {
  return make_problem(LinearSum(data, data.labels, loss, {.intercept = true}), h);
}

EvaluatedModel evaluated(const Problem& problem, const Vector& x) {
  EvaluatedModel at;
  at.x = x;
  at.objective.loss = value_and_gradient(problem.f, x, at.gradient);
  at.objective.regularizer = problem.h.value(x);
  return at;
}

// By hand: u = (1/2, 1/2, -1/4), theta = -y max(0, 1 - y u) = (-1/2, -1/2, 3/4), whose sums are 1
// below 0 and 3/4 above, so that theta = (-3/8, -3/8, 3/4), and phi* = a^2 / 2 - a at a = |theta|.
TEST(BalancedBound, IsWhatItsDefinitionSays) {
  const Dataset data = column({1, 1, -0.5}, {1, 1, -1});
  const Problem problem = problem_of(data, SquaredHingeLoss{}, SquaredL2{.lambda = 0.25});
  const auto conjugate = [](double a) { return a * a / 2 - a; };
  const double losses = (2 * conjugate(0.375) + conjugate(0.75)) / 3;
  const double slope = (0.375 + 0.375 + 0.75 * 0.5) / 3;
  const double expected = -losses - slope * slope / (2 * 0.25);
  EXPECT_NEAR(balanced_dual_value(problem, evaluated(problem, {0.5, 0})).value(), expected, 1e-14);
}

TEST(BalancedBound, IsBelowEveryObjectiveWhateverTheIntercept) {
  const Random random(4);
  Vector entries, labels, weights;
  for (std::size_t i = 0; i < 40; ++i) {
    labels.push_back(i % 3 == 0 ? 1 : -1);
    entries.push_back(1000 + labels.back() + 3 * random.uniform_at(i));
    weights.push_back(0.5 + random.uniform_at(100 + i));
  }
  const Dataset data = column(entries, labels, weights);
  for (const AnyLoss& loss : {AnyLoss(SquaredHingeLoss{}), AnyLoss(SmoothedHingeLoss{}),
                              AnyLoss(LogisticLoss{}), AnyLoss(SquaredLoss{})})
    for (const AnyRegularizer& h :
         {AnyRegularizer(SquaredL2{.lambda = 1e-3}), AnyRegularizer(L1{.lambda = 1e-2}),
          AnyRegularizer(ElasticNet{.l1 = 1e-3, .l2 = 1e-3})}) {
      SCOPED_TRACE(testing::Message() << loss.name() << " " << h.name());
      const Problem problem = problem_of(data, loss, h);
      for (std::uint64_t k = 0; k < 60; ++k) {
        const double slope = random.uniform_at(1000 + k) - 0.5;
        const Vector x = {slope, -1001 * slope + random.uniform_at(2000 + k)};
        const Vector other = {0.3 * slope, -1001 * 0.3 * slope};
        const double dual = balanced_dual_value(problem, evaluated(problem, x)).value();
        EXPECT_LE(dual, evaluated(problem, x).objective.total());
        EXPECT_LE(dual, evaluated(problem, other).objective.total());
      }
    }
}

TEST(BalancedBound, IsKnownOfProblemsOfWhichEveryModelHasOne) {
  const Dataset data = column({1, 2, 3}, {1, -1, 1});
  for (const AnyRegularizer& h :
       {AnyRegularizer(L1{.lambda = 1}), AnyRegularizer(SquaredL2{.lambda = 1}),
        AnyRegularizer(ElasticNet{.l1 = 1, .l2 = 0}), AnyRegularizer(L2Ball{.radius = 1})})
    EXPECT_TRUE(every_model_has_bound(problem_of(data, LogisticLoss{}, h))) << h.name();
  for (const AnyRegularizer& h :
       {AnyRegularizer(Zero{}), AnyRegularizer(NonNeg{}), AnyRegularizer(L1{.lambda = 0}),
        AnyRegularizer(Tv1d{.lambda = 1})})
    EXPECT_FALSE(every_model_has_bound(problem_of(data, LogisticLoss{}, h))) << h.name();
}

}  // namespace
}  // namespace asynprox
