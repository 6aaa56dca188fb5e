#include "asynprox/fit/fit_problem.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

// Four samples, two columns, labels 3 and 5.
Dataset four_samples() {
  Dataset data;
  data.name = "four";
  data.rows = Rows::narrowed({.num_columns = 2,
                              .offsets = {0, 2, 4, 5, 6},
                              .columns = {0, 1, 0, 1, 0, 1},
                              .values = {1, 2, -1, 1, 2, -1}});
  data.labels = {5, 3, 5, 3};
  return data;
}

TEST(FitProblem, ResolvesWhatTheSpecLeavesOpen) {
  const FitProblem problem =
      make_fit_problem({.data = {}, .regularizer = "l1:0.5max"}, four_samples(), {});
  EXPECT_EQ(*problem.spec.loss, "logistic");
  EXPECT_EQ(*problem.spec.positive_label, "5");
  EXPECT_EQ(problem.data.labels, (Vector{1, -1, 1, -1}));
  // The gradient at zero is -(1/n) sum y_i z_i / 2: -(1 + 1 + 2) / 8 and -(2 - 1 + 1) / 8.
  EXPECT_EQ(problem.regularizer.spec(), "l1:lambda=0.25");
  EXPECT_EQ(problem.spec.regularizer, "l1:0.25");
}

TEST(FitProblem, TakesTheCallersOwnRegularizer) {
  const FitProblem problem = make_fit_problem({.data = {}, .regularizer = "no-such-one"},
                                              four_samples(), {.regularizer = L1{.lambda = 7}});
  EXPECT_EQ(problem.spec.regularizer, "l1:lambda=7");
  EXPECT_THROW(make_early_choices({.data = {}, .regularizer = "no-such-one"}), ContractError);
}

TEST(FitProblem, WarnsWhereWholeLabelsAreFittedAsNumbers) {
  Dataset data = four_samples();
  data.labels = {0, 1, 2, 3};
  const FitProblem problem = make_fit_problem({}, std::move(data), {});
  EXPECT_EQ(*problem.spec.loss, "squared");
  ASSERT_EQ(problem.warnings.size(), 1);
  EXPECT_NE(problem.warnings.front().find("multinomial"), std::string::npos);
}

TEST(FitProblem, BeginsWithASavedModel) {
  const FitProblem plain = make_fit_problem({.data = {}, .intercept = true}, four_samples(), {});
  const FittedModel saved = fitted_model(plain, {1, 2}, {0.5});
  FitProblem next = make_fit_problem({.data = {}, .standardize = "columns", .intercept = true},
                                     four_samples(), {});
  begin_with_model(saved, next);
  ASSERT_EQ(next.x0->size(), 3);
  EXPECT_NEAR((*next.x0)[0] * next.data.column_scale[0], 1, 1e-12);
  EXPECT_EQ((*next.x0)[2], 0.5);
}

TEST(FitProblem, SolvesAndLeavesAModel) {
  const FitProblem problem =
      make_fit_problem({.data = {}, .regularizer = "l1:0.01"}, four_samples(), {});
  const Result result = solve(problem, {.workers = 1, .stop = {.tolerance = 1e-6}});
  EXPECT_EQ(result.stop_reason, StopReason::converged);
  const FittedModel model = fitted_model(problem, result.x, result.intercept);
  EXPECT_EQ(model.labels, (SignLabelNames{3, 5, false}));
  EXPECT_NO_THROW(check_model(model));
}

}  // namespace
}  // namespace asynprox
