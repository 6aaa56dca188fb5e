#include "asynprox/refinements/common_shift.h"

#include <gtest/gtest.h>

#include "asynprox/base/random.h"
#include "asynprox/losses/all.h"
#include "asynprox/refinements/fista_search.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox {
namespace {

constexpr std::size_t kSamples = 60, kFeatures = 2, kClasses = 3;

// Column 0 has entries of about 10^6.
Problem problem_of(const AnyRegularizer& h) {
  const Random random(5);
  CsrMatrix matrix{.num_columns = kFeatures};
  Dataset data;
  for (std::size_t i = 0; i < kSamples; ++i) {
    for (Key j = 0; j < kFeatures; ++j) {
      matrix.columns.push_back(j);
      matrix.values.push_back((random.uniform_at(kFeatures * i + j) - 0.5) * (j == 0 ? 1e6 : 1));
    }
    matrix.offsets.push_back(matrix.columns.size());
    data.labels.push_back(static_cast<double>(i % kClasses));
  }
  data.rows = Rows::plain(matrix);
  return make_problem(LinearSum(data, data.labels, MultinomialLoss{}, {.outputs = kClasses}), h);
}

TEST(CommonShift, TakesMediansFromAnL1NormAndMeansFromSquares) {
  Vector x = {5, 1, 2, -1, -1, 8};
  choose_common_shift(problem_of(L1{.lambda = 0.1}), x);
  EXPECT_EQ(x, (Vector{3, -1, 0, 0, 0, 9}));
  x = {5, 1, 3, -1, -1, 8};
  choose_common_shift(problem_of(SquaredL2{.lambda = 0.1}), x);
  EXPECT_EQ(x, (Vector{2, -2, 0, -3, -3, 6}));
}

// What it gains at the first feature is nothing beside h of the second.
TEST(CommonShift, LooksAtEachFeatureAlone) {
  Vector x = {5e-18, 1e-18, 2e-18, 0, 0, 9};
  choose_common_shift(problem_of(L1{.lambda = 0.1}), x);
  EXPECT_EQ(x[2], 0);
  EXPECT_NEAR(x[0], 3e-18, 1e-30);
  EXPECT_NEAR(x[1], -1e-18, 1e-30);
}

TEST(CommonShift, PrefersAZeroToWhatIsNearlyOne) {
  Vector x = {1e-21, 6e-9, -9e-8, 0, 0, 1};
  choose_common_shift(problem_of(L1{.lambda = 0.1}), x);
  EXPECT_EQ(x.front(), 0);
  EXPECT_EQ(count_nonzeros(x), 3);
}

TEST(CommonShift, ChangesNoLoss) {
  const Problem problem = problem_of(L1{.lambda = 0.1});
  Vector x = {5e-6, 1e-6, 2e-6, -1, -1, 8};
  const double before = objective(problem, x).loss;
  choose_common_shift(problem, x);
  EXPECT_NEAR(objective(problem, x).loss, before, 1e-12 * before);
}

TEST(CommonShift, LeavesWhatIsLeast) {
  Vector x = {2, 0, -3, 0, 0, 1};
  const Vector before = x;
  choose_common_shift(problem_of(L1{.lambda = 0.1}), x);
  EXPECT_EQ(x, before);
}

// Steps of 10^-12 are all that a column of 10^6 allows: without shifts the zero is never reached.
TEST(CommonShift, LetsFistaFindTheZerosOfSteepColumns) {
  const Problem problem = problem_of(L1{.lambda = 1e-3});
  FistaSearch search(problem);
  EvaluatedModel at;
  at.x = {3e-6, 2e-6, 1e-6, 0, 0, 0};
  const auto evaluate = [&] {
    at.objective.loss = value_and_gradient(problem.f, at.x, at.gradient);
    at.objective.regularizer = problem.h.value(at.x);
  };
  evaluate();
  for (int looks = 0; looks < 100; ++looks) {
    if (search.next(at, true) != FistaSearch::Next::look) break;
    evaluate();
  }
  search.next(at, false);
  EXPECT_LE(count_nonzeros(std::span(at.x).first(kClasses)), kClasses - 1);
}

}  // namespace
}  // namespace asynprox
