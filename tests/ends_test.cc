// How runs end at the edges: what is called converged is, objectives without a limit are called that, and
// a start that is the minimum is found out.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "asynprox/base/random.h"
#include "asynprox/data/dataset.h"
#include "asynprox/losses/all.h"
#include "asynprox/problem/problem.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/solve.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox {
namespace {

Dataset table(const std::vector<Vector>& rows, Vector labels) {
  CsrMatrix matrix{.num_columns = rows.front().size()};
  for (const Vector& row : rows) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      matrix.columns.push_back(static_cast<Key>(j));
      matrix.values.push_back(row[j]);
    }
    matrix.offsets.push_back(matrix.columns.size());
  }
  return {.name = "table", .rows = Rows::plain(matrix), .labels = std::move(labels)};
}

// Two groups of columns that nearly repeat one another, and one that is far from zero.
Dataset repeated_columns(std::uint64_t seed) {
  const Random random(seed);
  std::vector<Vector> rows;
  Vector labels;
  for (std::size_t i = 0; i < 60; ++i) {
    const auto draw = [&](std::size_t j) { return 3.4 * (random.uniform_at(16 * i + j) - 0.5); };
    Vector row;
    for (std::size_t j = 0; j < 8; ++j) row.push_back(draw(j / 4) + 0.01 * draw(2 + j));
    row.push_back(std::floor(1967 + 8 * draw(10)));
    labels.push_back(row[0] + 0.5 * draw(11) > 0.2 ? 1 : -1);
    rows.push_back(row);
  }
  Dataset data = table(rows, labels);
  standardize_columns(data);
  return data;
}

// The last evaluation is of the model that is returned, whose objective was computed from it.
TEST(Ends, WhatIsCalledConvergedIsWithinTheTolerance) {
  int converged = 0, by_span = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Dataset data = repeated_columns(seed);
    for (const AnyRegularizer& h : {AnyRegularizer(GroupLasso{.lambda = 0.1, .size = 4}),
                                    AnyRegularizer(L2Norm{.lambda = 0.1})}) {
      Options options = {.workers = 2, .runtime = Runtime::serial, .intercept = true};
      options.seed = seed;
      const Result result = solve(data, LogisticLoss{}, h, options);
      if (result.stop_reason != StopReason::converged) continue;
      ++converged;
      const Evaluation& last = result.trace.back();
      by_span += last.refined_by.empty() ? 0 : 1;
      ASSERT_TRUE(result.duality_gap);
      EXPECT_LE(*result.duality_gap, 1e-4 * result.objective) << seed;
      Vector x = result.x;
      x.insert(x.end(), result.intercept.begin(), result.intercept.end());
      const Problem problem =
          make_problem(LinearSum(data, data.labels, LogisticLoss{}, {.intercept = true}), h);
      EXPECT_NEAR(last.objective, objective(problem, x).total(), 1e-13) << seed;
    }
  }
  EXPECT_GE(converged, 110);
  EXPECT_GE(by_span, 1);
}

TEST(Ends, AnUnboundedObjectiveIsSaidToBeThat) {
  const Dataset data = read_dataset("generate:nn-pca:n=200,d=10");
  for (const AnyRegularizer& h :
       {AnyRegularizer(Zero{}), AnyRegularizer(L1{.lambda = 1e-3}), AnyRegularizer(NonNeg{}),
        AnyRegularizer(NonNegL1{.lambda = 1e-3}), AnyRegularizer(SquaredL2{.lambda = 1e-4})}) {
    const Result result = solve(data, PcaLoss{}, h, {.workers = 1});
    EXPECT_EQ(result.stop_reason, StopReason::diverged) << h.name();
    EXPECT_NE(result.stop_detail.find("unbounded below"), std::string::npos) << result.stop_detail;
    EXPECT_LT(result.epochs, 20) << h.name();
    EXPECT_TRUE(std::isfinite(result.objective)) << h.name();
  }
  const Result bounded = solve(data, PcaLoss{}, NonNegBall{.radius = 1}, {.workers = 1});
  EXPECT_EQ(bounded.stop_reason, StopReason::stationary);
}

// Rows of length 1 whose columns differ by hundreds of orders: limits end a run, or infinity does.
TEST(Ends, ARunOfHugeNumbersEnds) {
  Dataset data =
      table({{1e300, 2e300}, {-3e300, 1e300}, {2e300, -1e300}, {1e300, 1e300}}, {1, 2, 3, 4});
  normalize_rows(data);
  for (const AnyRegularizer& h : {AnyRegularizer(Zero{}), AnyRegularizer(L1{.lambda = 1e-3})}) {
    const Result result =
        solve(data, PcaLoss{}, h, {.workers = 1, .stop = {.epochs = 1000, .tolerance = 1e-4}});
    EXPECT_EQ(result.stop_reason, StopReason::diverged) << h.name();
  }
}

// The gradient there is rounding, which later ones cannot be compared with.
TEST(Ends, AStartThatIsTheMinimumIsFoundOut) {
  std::vector<Vector> rows;
  Vector signs, counts, classes;
  for (int i = 1; i <= 10; ++i) {
    rows.push_back({3, 0});
    counts.push_back(i % 3 == 0 ? 1 : 0);
    classes.push_back(counts.back());
    signs.push_back(i % 3 == 0 ? 1 : -1);
  }
  for (const AnyRegularizer& h :
       {AnyRegularizer(Zero{}), AnyRegularizer(Tv1d{.lambda = 0.1}), AnyRegularizer(NonNeg{})}) {
    const auto reason = [&](const AnyLoss& loss, const Vector& labels) {
      return solve(table(rows, labels), loss, h, {.workers = 1, .intercept = true}).stop_reason;
    };
    EXPECT_EQ(reason(LogisticLoss{}, signs), StopReason::converged) << h.name();
    EXPECT_EQ(reason(SquaredHingeLoss{}, signs), StopReason::converged) << h.name();
    EXPECT_EQ(reason(SmoothedHingeLoss{}, signs), StopReason::converged) << h.name();
    EXPECT_EQ(reason(SquaredLoss{}, counts), StopReason::converged) << h.name();
    EXPECT_EQ(reason(HuberLoss{}, counts), StopReason::converged) << h.name();
    EXPECT_EQ(reason(PoissonLoss{}, counts), StopReason::converged) << h.name();
    EXPECT_EQ(reason(MultinomialLoss{}, classes), StopReason::converged) << h.name();
  }
}

}  // namespace
}  // namespace asynprox
