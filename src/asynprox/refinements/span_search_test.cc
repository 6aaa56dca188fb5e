#include "asynprox/refinements/span_search.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/base/random.h"
#include "asynprox/data/dataset.h"
#include "asynprox/losses/all.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox {
namespace {

// f(x) = (1/3) sum_i (a_i'x - y_i)^2 / 2 in R^3.
Dataset quadratic_data() {
  Dataset data;
  data.rows = Rows::narrowed({.num_columns = 3,
                              .offsets = {0, 3, 6, 9},
                              .columns = {0, 1, 2, 0, 1, 2, 0, 1, 2},
                              .values = {1, 2, 0.5, -1, 1, 3, 0.5, 0.25, -2}});
  data.labels = {1, -2, 0.5};
  return data;
}

Problem quadratic(const AnyRegularizer& h) {
  const Dataset data = quadratic_data();
  return make_problem(LinearSum(data, data.labels, SquaredLoss{}), h);
}

EvaluatedModel evaluated(const Problem& problem, const Vector& x) {
  const std::vector<SampleIndex> samples = all_samples(problem.f.num_samples());
  Vector u(samples.size() * problem.f.outputs()), c = u;
  problem.f.linear()->outputs_at(x, samples, u);
  problem.f.linear()->scalars_of_outputs(samples, u, c);
  return {.x = x, .outputs = u, .scalars = c, .gradient = {}, .objective = objective(problem, x)};
}

std::optional<SpanSearch::Found> search(SpanSearch& span, const Problem& problem, const Vector& x) {
  return span.search(evaluated(problem, x));
}

double slope(const Problem& problem, const Vector& x, const Vector& from, const Vector& to) {
  Vector gradient, direction = to;
  value_and_gradient(problem.f, x, gradient);
  add_scaled(direction, -1, from);
  return dot(gradient, direction);
}

const Vector kFirst = {0, 0, 0}, kSecond = {-0.1, 0.2, -0.1}, kThird = {0.1, -0.1, -0.3};

TEST(SpanSearch, OneModelSpansNothing) {
  const Problem problem = quadratic(Zero{});
  SpanSearch span(problem);
  EXPECT_FALSE(search(span, problem, kFirst));
}

TEST(SpanSearch, FindsTheMinimiserOfAQuadraticInTheSpan) {
  const Problem problem = quadratic(Zero{});
  SpanSearch span(problem);
  search(span, problem, kFirst);
  ASSERT_LT(objective(problem, kSecond).total(), objective(problem, kFirst).total());
  const auto on_line = search(span, problem, kSecond);
  ASSERT_TRUE(on_line);
  EXPECT_NEAR(slope(problem, on_line->x, kFirst, kSecond), 0, 1e-8);
  // A third model, lower than what was found, so that two directions are spanned.
  Vector third = on_line->x;
  add_scaled(third, 0.1, kThird);
  ASSERT_LT(objective(problem, third).total(), on_line->objective.total());
  const auto in_plane = search(span, problem, third);
  ASSERT_TRUE(in_plane);
  EXPECT_NEAR(slope(problem, in_plane->x, kFirst, kSecond), 0, 1e-7);
  EXPECT_NEAR(slope(problem, in_plane->x, on_line->x, third), 0, 1e-7);
}

// Whatever the loss, and whether it is convex or not.
TEST(SpanSearch, WhatItFindsIsLowerAndIsThere) {
  const Dataset data = read_dataset("generate:sparse-logistic:n=60,d=8,nonzeros=4,seed=5");
  int found = 0;
  for_each_member(ScalarLosses{}, [&]<class Loss>(std::type_identity<Loss>) {
    Vector labels = data.labels;
    if (Loss::name == std::string_view("poisson"))
      for (double& label : labels) label = std::abs(label);
    const Problem problem = make_problem(LinearSum(data, labels, Loss{}), L1{.lambda = 1e-3});
    SpanSearch span(problem);
    const Random random(3);
    for (int i = 0; i < 30; ++i) {
      Vector x(problem.f.dimension());
      for (std::size_t j = 0; j < x.size(); ++j)
        x[j] = (random.uniform_at(i * x.size() + j) - 0.5) / (1 + i);
      const auto better = search(span, problem, x);
      if (!better) continue;
      ++found;
      EXPECT_LT(better->objective.total(), objective(problem, x).total()) << Loss::name;
      const double there = objective(problem, better->x).total();
      EXPECT_NEAR(better->objective.total(), there, 1e-10 * (1 + std::abs(there))) << Loss::name;
    }
  });
  EXPECT_GE(found, 10);
}

TEST(SpanSearch, MakesNothingOfAModelThatIsWorse) {
  const Problem problem = quadratic(Zero{});
  SpanSearch span(problem);
  search(span, problem, kSecond);
  EXPECT_FALSE(search(span, problem, kFirst));
  // Nor is it kept: the same model twice spans nothing.
  EXPECT_FALSE(search(span, problem, kSecond));
}

TEST(SpanSearch, StaysWhereTheRegulariserIsFinite) {
  // From 1 to 0, towards the minimum at -5: all of that is infinite.
  Dataset data;
  data.rows = Rows::narrowed({.num_columns = 1, .offsets = {0, 1}, .columns = {0}, .values = {1}});
  data.labels = {-5};
  const Problem problem = make_problem(LinearSum(data, data.labels, SquaredLoss{}), NonNeg{});
  SpanSearch span(problem);
  EXPECT_FALSE(search(span, problem, {1}));
  EXPECT_FALSE(search(span, problem, {0}));
  const Problem free = make_problem(LinearSum(data, data.labels, SquaredLoss{}), Zero{});
  SpanSearch unbounded(free);
  search(unbounded, free, {1});
  const auto found = search(unbounded, free, {0});
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->x[0], -5, 1e-7);
}

// Columns that nearly repeat one another: weights of the points before are large, and each model found is
// extrapolated from outputs that were extrapolated.
Dataset repeated_columns() {
  const Random random(4);
  CsrMatrix matrix{.num_columns = 4};
  Dataset data;
  for (std::size_t i = 0; i < 60; ++i) {
    const double common = random.uniform_at(9 * i) - 0.5;
    for (Key j = 0; j < 4; ++j) {
      matrix.columns.push_back(j);
      matrix.values.push_back(common + 1e-3 * random.uniform_at(9 * i + j + 1));
    }
    matrix.offsets.push_back(matrix.columns.size());
    data.labels.push_back(common + random.uniform_at(9 * i + 5) > 0.5 ? 1 : -1);
  }
  data.rows = Rows::plain(matrix);
  return data;
}

TEST(SpanSearch, ItsOutputsStayTrueHoweverLongItGoesOn) {
  const Dataset data = repeated_columns();
  const Problem problem =
      make_problem(LinearSum(data, data.labels, LogisticLoss{}), SquaredL2{.lambda = 1e-6});
  const Random random(7);
  int found = 0, doubtful = 0;
  for (int run = 0; run < 20; ++run) {
    SpanSearch span(problem);
    Vector x(4, 0);
    for (int i = 0; i < 60; ++i) {
      const EvaluatedModel at = evaluated(problem, x);
      const auto better = span.search(at);
      if (better) {
        ++found;
        const EvaluatedModel there = evaluated(problem, better->x);
        x = better->x;
        if (better->doubtful) {
          ++doubtful;
          if (!span.settle(there, at)) x = at.x;
        } else {
          EXPECT_NEAR(better->objective.total(), there.objective.total(), 1e-12) << run << " " << i;
        }
      }
      // A step as stochastic methods take them, in a direction of little curvature too.
      Vector gradient;
      value_and_gradient(problem.f, x, gradient);
      add_scaled(x, -0.5, gradient);
      for (std::size_t j = 0; j < x.size(); ++j)
        x[j] += 1e-4 * (random.uniform_at((run * 60 + i) * x.size() + j) - 0.5);
    }
  }
  EXPECT_GT(found, 200);
  EXPECT_GT(doubtful, 0);
  EXPECT_LT(doubtful, found) << "the others need no pass of their own";
}

TEST(SpanSearch, ForgetsPointsThatRoundingMade) {
  const Problem problem = quadratic(Zero{});
  SpanSearch span(problem);
  search(span, problem, kFirst);
  const EvaluatedModel second = evaluated(problem, kSecond);
  const auto found = span.search(second);
  ASSERT_TRUE(found);
  EXPECT_FALSE(span.settle(evaluated(problem, kFirst), second));
  EXPECT_FALSE(search(span, problem, kSecond)) << "one point spans nothing";
  // A better one stays.
  SpanSearch other(problem);
  search(other, problem, kFirst);
  ASSERT_TRUE(other.search(second));
  EXPECT_TRUE(other.settle(evaluated(problem, found->x), second));
}

TEST(SpanSearch, MakesNothingOfAnInfiniteObjective) {
  const Problem problem = quadratic(Zero{});
  SpanSearch span(problem);
  search(span, problem, kFirst);
  EXPECT_FALSE(span.search({.x = kSecond,
                            .outputs = Vector(3),
                            .scalars = Vector(3),
                            .gradient = {},
                            .objective = {.loss = std::numeric_limits<double>::infinity()}}));
  EXPECT_TRUE(search(span, problem, kSecond));
}

}  // namespace
}  // namespace asynprox
