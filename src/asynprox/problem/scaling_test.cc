#include "asynprox/problem/scaling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "asynprox/data/dataset.h"
#include "asynprox/losses/all.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/sums/key_counts.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox {
namespace {

// Column j has entries of +-10^(spread * j / 3) in every `stride`-th row.
Dataset columns_apart(double spread, int stride = 1) {
  CsrMatrix matrix;
  matrix.num_columns = 4;
  Dataset data;
  for (int i = 0; i < 40; ++i) {
    for (Key j = 0; j < 4; ++j) {
      if ((i + static_cast<int>(j)) % stride != 0) continue;
      matrix.columns.push_back(j);
      matrix.values.push_back((i % 3 == 0 ? -1 : 1) * std::pow(10, spread * j / 3));
    }
    matrix.offsets.push_back(matrix.columns.size());
    data.labels.push_back(i % 2 == 0 ? 1 : -1);
  }
  data.rows = Rows::narrowed(matrix);
  return data;
}

Problem problem_of(const Dataset& data, const AnyRegularizer& h) {
  return make_problem(LinearSum(data, data.labels, LogisticLoss{}), h);
}

Vector scales_of(const Problem& problem) {
  return chosen_scales(problem, column_curvatures(problem.f));
}

// Over three decades the curvature differs by 1e6; in the chosen units by nothing.
TEST(ChosenScales, UndoColumnsThatAreDecadesApart) {
  const Problem problem = problem_of(columns_apart(/*spread=*/3), L1{.lambda = 1e-3});
  const Vector diagonal = column_curvatures(problem.f);
  EXPECT_NEAR(diagonal[3] / diagonal[0], 1e6, 1);
  const Vector scales = scales_of(problem);
  ASSERT_EQ(scales.size(), 4u);
  EXPECT_EQ(scales[3], 1);
  for (std::size_t j = 0; j < 4; ++j)
    EXPECT_NEAR(scales[j] * diagonal[j], diagonal[3], 1e-9 * diagonal[3]) << j;
}

TEST(ChosenScales, GoHalfTheWayWhereDataIsSparse) {
  const Problem problem = problem_of(columns_apart(/*spread=*/2, /*stride=*/4), L1{.lambda = 1e-3});
  const Vector diagonal = column_curvatures(problem.f);
  const Vector scales = scales_of(problem);
  ASSERT_EQ(scales.size(), 4u);
  for (std::size_t j = 0; j < 4; ++j)
    EXPECT_NEAR(scales[j], std::sqrt(*std::ranges::max_element(diagonal) / diagonal[j]), 1e-9) << j;
}

TEST(ChosenScales, AreNoneWhereTheyGainNothingOrCannotBe) {
  EXPECT_TRUE(scales_of(problem_of(columns_apart(0), L1{.lambda = 1e-3})).empty());
  // h that is joint has no prox with a step of each coordinate's own.
  EXPECT_TRUE(scales_of(problem_of(columns_apart(3), L2Ball{.radius = 1})).empty());
  EXPECT_TRUE(scales_of(problem_of(columns_apart(3), Simplex{})).empty());
}

TEST(ChosenScales, LeaveAnEmptyColumnAlone) {
  Dataset data;
  data.rows = Rows::narrowed(
      {.num_columns = 3, .offsets = {0, 2, 4}, .columns = {0, 2, 0, 2}, .values = {1, 9, 1, 9}});
  data.labels = {1, -1};
  const Vector scales = scales_of(problem_of(data, L1{.lambda = 1e-3}));
  ASSERT_EQ(scales.size(), 3u);
  EXPECT_EQ(scales[1], 1);
  EXPECT_NEAR(scales[0], 81, 1e-9);
}

TEST(KeyCounts, AreTheSamplesThatTouchEachCoordinate) {
  Dataset data;
  data.rows = Rows::narrowed(
      {.num_columns = 4, .offsets = {0, 2, 3, 3}, .columns = {0, 2, 2}, .values = {1, 2, 3}});
  data.labels = {1, -1, 1};
  EXPECT_EQ(key_counts(LinearSum(data, data.labels, LogisticLoss{})), (Vector{1, 0, 2, 0}));
}

TEST(KeyCounts, AnInterceptIsTouchedByAll) {
  Dataset data;
  data.rows =
      Rows::narrowed({.num_columns = 2, .offsets = {0, 1, 1}, .columns = {1}, .values = {1}});
  data.labels = {1, -1};
  EXPECT_EQ(key_counts(LinearSum(data, data.labels, LogisticLoss{}, {.intercept = true})),
            (Vector{0, 1, 2}));
}

}  // namespace
}  // namespace asynprox
