#include "asynprox/refinements/fista_search.h"

#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/base/random.h"
#include "asynprox/data/dataset.h"
#include "asynprox/losses/all.h"
#include "asynprox/problem/evaluated_model_testing.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox {
namespace {

constexpr std::size_t kSamples = 200, kFeatures = 6;

// Entries about 0 of different sizes, and column 0 moved away from it by `offset`.
Dataset table(double offset) {
  const Random random(4);
  CsrMatrix matrix{.num_columns = kFeatures};
  Dataset data;
  for (std::size_t i = 0; i < kSamples; ++i) {
    double score = 0;
    for (Key j = 0; j < kFeatures; ++j) {
      const double entry = random.uniform_at(kFeatures * i + j) - 0.5;
      matrix.columns.push_back(j);
      matrix.values.push_back((entry + (j == 0 ? offset : 0)) * std::pow(10.0, j % 3));
      score += entry;
    }
    matrix.offsets.push_back(matrix.columns.size());
    data.labels.push_back(score + 0.5 * random.uniform_at(100000 + i) > 0.25 ? 1 : -1);
  }
  data.rows = Rows::plain(matrix);
  return data;
}

Problem problem_of(const AnyLoss& loss, const AnyRegularizer& h, double offset = 0) {
  const Dataset data = table(offset);
  Vector labels = data.labels;
  if (loss.name() == "poisson")
    for (double& label : labels) label = label > 0 ? 2 : 0;
  return make_problem(LinearSum(data, labels, loss, {.outputs = 1, .intercept = true}), h);
}

struct Searched {
  EvaluatedModel model;
  int looks = 0;
  bool exhausted = false;
  double highest_rise = 0;  // of the objective between models that were kept, relative
};

// From x = 0, or elsewhere, in evaluations of so many looks each.
Searched searched(const Problem& problem, int looks_max, int looks_each, double start = 0) {
  FistaSearch search(problem);
  Searched result = {.model = evaluated(problem, Vector(problem.f.dimension(), start))};
  double kept = result.model.objective.total();
  while (result.looks < looks_max && !result.exhausted) {
    for (int looks = 0;; ++looks) {
      const auto next = search.next(result.model, /*more=*/looks < looks_each);
      result.exhausted = next == FistaSearch::Next::exhausted;
      if (next != FistaSearch::Next::look) break;
      ++result.looks;
      result.model = evaluated(problem, result.model.x);
    }
    const double now = result.model.objective.total();
    result.highest_rise = std::max(result.highest_rise, (now - kept) / std::abs(kept));
    kept = now;
  }
  return result;
}

// Out there huber's slope is the same for millions of steps and then changes at once: a gradient
// extrapolated from the last two is wrong, however short the step.
TEST(FistaSearch, ComesBackFromFarAway) {
  for (const AnyRegularizer& h : {AnyRegularizer(Zero{}), AnyRegularizer(L1{.lambda = 1e-3})})
    for (const double start : {1e6, 1e8, -1e8}) {
      const Problem problem = problem_of(HuberLoss{.delta = 0.1}, h);
      const double lowest = searched(problem, 3000, 100).model.objective.total();
      EXPECT_LT(searched(problem, 3000, 100, start).model.objective.total(), 1.001 * lowest)
          << h.name() << " from " << start;
    }
}

TEST(FistaSearch, ComesToTheMinimumAndNeverRises) {
  const std::vector<AnyLoss> losses = {SquaredLoss{}, LogisticLoss{}, SquaredHingeLoss{},
                                       HuberLoss{}, PoissonLoss{}};
  const std::vector<AnyRegularizer> regularizers = {L1{.lambda = 1e-2}, SquaredL2{.lambda = 1e-2},
                                                    Box{.lower = -0.1, .upper = 0.2},
                                                    L2Norm{.lambda = 1e-2}, L1Ball{.radius = 0.5}};
  for (const AnyLoss& loss : losses)
    for (const AnyRegularizer& h : regularizers) {
      const Problem problem = problem_of(loss, h);
      const Searched result = searched(problem, 3000, 50);
      FistaSearch fresh(problem);
      const double start = fresh.mapping(evaluated(problem, Vector(problem.f.dimension(), 0)));
      EXPECT_LE(fresh.mapping(result.model), 1e-6 * start) << loss.name() << " + " << h.name();
      EXPECT_LE(result.highest_rise, 2e-13) << loss.name() << " + " << h.name();
    }
}

TEST(FistaSearch, GoesOnWhereItWasLeft) {
  const Problem problem = problem_of(LogisticLoss{}, L1{.lambda = 1e-3});
  const Searched whole = searched(problem, 120, 120), parts = searched(problem, 120, 8);
  EXPECT_EQ(whole.looks, parts.looks);
  EXPECT_EQ(whole.model.x, parts.model.x);
}

TEST(FistaSearch, IsNotSlowedByAColumnFarFromZero) {
  const auto looks_to = [](double offset) {
    const Problem problem = problem_of(SquaredLoss{}, L1{.lambda = 1e-3}, offset);
    const double minimum = searched(problem, 5000, 50).model.objective.total();
    int looks = 5;
    while (looks < 2000 &&
           searched(problem, looks, looks).model.objective.total() > (1 + 1e-6) * minimum)
      looks += 5;
    return looks;
  };
  EXPECT_LE(looks_to(1e5), 2 * looks_to(0));
}

// Years, money, counts and shares as they are: columns over six decades, some far from zero.
Problem raw_problem(const AnyRegularizer& h) {
  const Random random(6);
  const Vector means = {1970, 3e5, 40, 0.3, 2e4, 5}, sizes = {30, 1e5, 25, 0.1, 4e3, 2};
  CsrMatrix matrix{.num_columns = kFeatures};
  Dataset data;
  for (std::size_t i = 0; i < kSamples; ++i) {
    double label = random.uniform_at(100000 + i);
    for (Key j = 0; j < kFeatures; ++j) {
      const double entry = random.uniform_at(kFeatures * i + j) - 0.5;
      matrix.columns.push_back(j);
      matrix.values.push_back(means[j] + sizes[j] * entry);
      label += (j % 2 == 0 ? 1.0 : 0.5) * entry;
    }
    matrix.offsets.push_back(matrix.columns.size());
    data.labels.push_back(label);
  }
  data.rows = Rows::plain(matrix);
  return make_problem(
      LinearSum(data, data.labels, SquaredLoss{}, {.outputs = 1, .intercept = true}), h);
}

TEST(FistaSearch, TakesRawColumnsWhereHCouplesThemToo) {
  const std::vector<AnyRegularizer> regularizers = {
      L1{.lambda = 1e-3},
      L1Ball{.radius = 0.5},
      Simplex{.radius = 0.5},
      L2Ball{.radius = 0.5},
      NonNegBall{.radius = 0.5},
      L2Norm{.lambda = 1e-3},
      GroupLasso{.lambda = 1e-3, .size = 2},
      SparseGroupLasso{.l1 = 1e-3, .group = 1e-3, .size = 2},
      Tv1d{.lambda = 1e-3},
      Slope{.lambda = 1e-3, .q = 0.1}};
  for (const AnyRegularizer& h : regularizers) {
    const Problem problem = raw_problem(h);
    const double minimum = searched(problem, 5000, 50).model.objective.total();
    const double after = searched(problem, 100, 100).model.objective.total();
    EXPECT_LE(after, (1 + 1e-6) * minimum) << h.name();
    EXPECT_EQ(FistaSearch(problem).columns_apart(), 1) << h.name();
  }
}

TEST(FistaSearch, KnowsHowFarApartColumnsAreThatItCannotScale) {
  const Problem problem = raw_problem(Nuclear{.lambda = 1e-3, .columns = 2});
  const FistaSearch search(problem);
  EXPECT_NEAR(search.columns_apart(), 1e5 / 0.1, 0.2e6);
}

TEST(FistaSearch, IsExhaustedAtAFixedPoint) {
  const Problem problem = problem_of(SquaredLoss{}, L1{.lambda = 1e6});
  EvaluatedModel at = evaluated(problem, searched(problem, 1000, 50).model.x);
  const double before = at.objective.total();
  FistaSearch search(problem);
  FistaSearch::Next next = search.next(at, true);
  for (int looks = 0; looks < 200 && next == FistaSearch::Next::look; ++looks) {
    at = evaluated(problem, at.x);
    next = search.next(at, true);
  }
  EXPECT_EQ(next, FistaSearch::Next::exhausted);
  EXPECT_LE(at.objective.total(), before * (1 + 1e-13));
}

// In (x, b') the gradient is that of the centred problem, and models come back as they were.
TEST(DescentMetric, ShiftsAsCentringWould) {
  const Problem problem = problem_of(SquaredLoss{}, L1{.lambda = 1e-3}, 100);
  const DescentMetric metric(problem);
  Vector x = {0.1, -0.02, 0.003, 0.4, -0.05, 0.006, 7};
  EvaluatedModel at = evaluated(problem, x);
  Vector gradient = at.gradient, shifted = x;
  metric.shift(shifted);
  metric.shift_gradient(gradient);
  for (std::size_t j = 0; j < kFeatures; ++j) {
    Vector beside = shifted;
    beside[j] += 1e-6;  // b' stays, so b moves against it
    metric.unshift(beside);
    const double slope = (evaluated(problem, beside).objective.loss - at.objective.loss) / 1e-6;
    EXPECT_NEAR(gradient[j], slope, 1e-2 * (1 + std::abs(slope))) << j;
  }
  metric.unshift(shifted);
  for (std::size_t j = 0; j < x.size(); ++j) EXPECT_NEAR(shifted[j], x[j], 1e-12);
}

}  // namespace
}  // namespace asynprox
