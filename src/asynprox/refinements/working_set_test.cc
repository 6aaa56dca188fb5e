#include "asynprox/refinements/working_set.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "asynprox/data/dataset.h"
#include "asynprox/linalg/simd.h"
#include "asynprox/losses/all.h"
#include "asynprox/problem/evaluated_model_testing.h"
#include "asynprox/refinements/fista_search.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox {
namespace {

constexpr double kEta = 0.5;

struct Shape {
  std::string name = "generate:sparse-logistic:n=200,d=300,nonzeros=12";
  bool intercept = false, treated = false;  // weights, scales of rows and columns, a centre
};

Problem problem_of(const AnyLoss& loss, const AnyRegularizer& h, const Shape& shape = {}) {
  Dataset data = read_dataset(shape.name);
  if (loss.name() == "poisson")
    for (double& label : data.labels) label = label > 0 ? 2 : 0;
  const std::size_t n = data.num_samples(), d = data.rows.num_columns();
  for (std::size_t i = 0; i < n && shape.treated; ++i) {
    data.weights.push_back(0.5 + static_cast<double>(i % 3));
    data.row_scale.push_back(1 + 0.1 * static_cast<double>(i % 5));
  }
  for (std::size_t j = 0; j < d && shape.treated; ++j) {
    data.column_scale.push_back(1 + 0.2 * static_cast<double>(j % 4));
    data.center.push_back(0.01 * static_cast<double>(j % 7));
  }
  return make_problem(
      LinearSum(data, data.labels, loss, {.outputs = 1, .intercept = shape.intercept}), h);
}

struct Searched {
  EvaluatedModel model;
  int steps = 0;
  bool fell = true;        // the objective at each
  bool by_points = false;  // any of them
};

Searched searched(const Problem& problem, int steps_max, double gap = 0) {
  WorkingSet working_set(problem, kEta);
  Vector x(problem.f.dimension(), 0);
  problem.h.prox(x, 1);
  Searched found = {.model = evaluated(problem, x)};
  for (; found.steps < steps_max; ++found.steps) {
    const auto step = working_set.step(found.model, {.gap = gap});
    found.by_points |= working_set.by_points();
    if (!step) break;
    const double before = found.model.objective.total();
    x = found.model.x;
    for (std::size_t k = 0; k < step->keys.size(); ++k) x[step->keys[k]] = step->to[k];
    found.model = evaluated(problem, x);
    found.fell &= found.model.objective.total() <= before + 1e-12 * (1 + std::abs(before));
  }
  return found;
}

double mapping(const Problem& problem, const EvaluatedModel& at) {
  return gradient_mapping_norm(problem.h, at.x, at.gradient, kEta);
}

std::vector<AnyRegularizer> regularizers(std::size_t dimension) {
  Vector weights(dimension, 1);
  weights[3] = weights[7] = 0.1;
  return {L1{.lambda = 0.01},
          ElasticNet{.l1 = 0.01, .l2 = 0.02},
          SquaredL2{.lambda = 0.1},
          NonNegL1{.lambda = 0.01},
          Box{.lower = -0.1, .upper = 0.2},
          WeightedL1{.lambda = 0.01, .weights = {"", weights}}};
}

// Every convex loss of one output with every separable h, plain and with all that is implicit.
TEST(WorkingSet, ComesToTheMinimumAndNeverRises) {
  int tried = 0;
  for_each_member(ScalarLosses{}, [&]<class Loss>(std::type_identity<Loss>) {
    for (const AnyRegularizer& h : regularizers(300))
      for (const bool intercept : {false, true})
        for (const bool treated : {false, true}) {
          const Problem problem =
              problem_of(Loss{}, h, {.intercept = intercept, .treated = treated});
          if (!problem.f.convex()) continue;
          SCOPED_TRACE(testing::Message() << Loss::name << " + " << h.name() << ", intercept "
                                          << intercept << ", treated " << treated);
          ASSERT_TRUE(WorkingSet::possible(problem));
          const Searched found = searched(problem, 60);
          EXPECT_TRUE(found.fell);
          EXPECT_GT(found.steps, 0);
          EXPECT_LT(mapping(problem, found.model), 1e-6);
          ++tried;
        }
  });
  EXPECT_EQ(tried, 6 * 6 * 2 * 2);
}

// Where the data is nearly interpolated, sweeps alone do not come that far in thousands of steps.
TEST(WorkingSet, GoesOnByProximalPointsWhereSweepsHardlyAdvance) {
  for (const AnyLoss& loss :
       {AnyLoss(SquaredHingeLoss{}), AnyLoss(HuberLoss{.delta = 0.5}), AnyLoss(SquaredLoss{})}) {
    const Problem problem = problem_of(
        loss, L1{.lambda = 1e-5},
        {.name = "generate:sparse-logistic:n=120,d=1000,nonzeros=40", .intercept = true});
    // Whatever gap is said to be enough: who asks again has found that it is not there yet.
    for (const double gap : {0.0, 1e6}) {
      const Searched found = searched(problem, 60, gap);
      SCOPED_TRACE(testing::Message() << loss.name() << ", gap " << gap);
      EXPECT_TRUE(found.by_points);
      EXPECT_TRUE(found.fell);
      EXPECT_LT(mapping(problem, found.model), 1e-7);
    }
  }
}

// To the same bits, also on its way by proximal points.
TEST(WorkingSet, GoesOnFromASnapshot) {
  const Problem problem = problem_of(HuberLoss{.delta = 0.5}, L1{.lambda = 1e-5},
                                     {.name = "generate:sparse-logistic:n=60,d=500,nonzeros=40"});
  WorkingSet first(problem, kEta);
  EvaluatedModel at = evaluated(problem, Vector(problem.f.dimension(), 0));
  int by_points = 0;
  for (int steps = 0; steps < 8; ++steps) {
    SnapshotWriter writer;
    first.save(writer);
    WorkingSet second(problem, kEta);
    SnapshotReader reader(writer.bytes());
    second.restore(reader);
    const auto step = first.step(at, {}), again = second.step(at, {});
    ASSERT_EQ(step.has_value(), again.has_value());
    if (!step) break;
    EXPECT_EQ(step->to, again->to);
    EXPECT_EQ(first.entries_read(), second.entries_read());
    EXPECT_EQ(first.by_points(), second.by_points());
    by_points += first.by_points() ? 1 : 0;
    Vector x = at.x;
    for (std::size_t k = 0; k < step->keys.size(); ++k) x[step->keys[k]] = step->to[k];
    at = evaluated(problem, x);
  }
  EXPECT_GT(by_points, 1);
}

TEST(WorkingSet, ComesToTheObjectiveOfFista) {
  for (const AnyRegularizer& h : regularizers(300)) {
    const Problem problem = problem_of(LogisticLoss{}, h, {.intercept = true});
    FistaSearch fista(problem);
    EvaluatedModel at = evaluated(problem, Vector(problem.f.dimension(), 0));
    for (int looks = 0; looks < 3000; ++looks) {
      if (fista.next(at, true) != FistaSearch::Next::look) break;
      at = evaluated(problem, at.x);
    }
    fista.next(at, false);
    const double expected = at.objective.total();
    EXPECT_NEAR(searched(problem, 60).model.objective.total(), expected, 1e-9 * expected)
        << h.name();
  }
}

TEST(WorkingSet, GivesTheSameBitsAtEveryLevelAndAgain) {
  const std::string level(simd_level());
  const Problem problem = problem_of(LogisticLoss{}, L1{.lambda = 1e-3}, {.intercept = true});
  const Vector expected = searched(problem, 12).model.x;
  for (const std::string& tried : simd_levels()) {
    set_simd_level(tried);
    EXPECT_EQ(searched(problem, 12).model.x, expected) << tried;
  }
  set_simd_level(level);
}

// Columns far from 0, of scales 1e3 apart, and a column twice.
TEST(WorkingSet, ComesToTheMinimumOfAnOddTable) {
  const Dataset plain = read_dataset("generate:sparse-logistic:n=300,d=6,nonzeros=6");
  CsrMatrix matrix{.num_columns = 7};
  for (std::size_t i = 0; i < plain.num_samples(); ++i) {
    double first = 0;
    for (const auto& [column, value] : plain.rows.row(i)) {
      matrix.columns.push_back(column);
      matrix.values.push_back(column == 1 ? 1e3 * value : column == 4 ? 50 + value : value);
      if (column == 0) first = value;
    }
    matrix.columns.push_back(6);
    matrix.values.push_back(first);
    matrix.offsets.push_back(matrix.columns.size());
  }
  Dataset data = plain;
  data.rows = Rows::plain(matrix);
  const Problem problem =
      make_problem(LinearSum(data, data.labels, LogisticLoss{}, {.outputs = 1, .intercept = true}),
                   L1{.lambda = 1e-3});
  const Searched found = searched(problem, 80);
  EXPECT_TRUE(found.fell);
  Vector slopes = found.model.gradient;
  for (std::size_t j = 0; j < 7; ++j) EXPECT_LE(std::abs(slopes[j]), 1e-3 * (1 + 1e-5)) << j;
  EXPECT_NEAR(slopes[7], 0, 1e-8);
}

// h is too strong for any coefficient.
TEST(WorkingSet, MovesTheInterceptAlone) {
  const Problem problem = problem_of(PoissonLoss{}, L1{.lambda = 10}, {.intercept = true});
  const Searched found = searched(problem, 60);
  EXPECT_EQ(count_nonzeros(found.model.x), 1U);
  EXPECT_NEAR(found.model.gradient.back(), 0, 1e-10);
}

TEST(WorkingSet, StopsWhenAskedAndTakesNothing) {
  const Problem problem = problem_of(LogisticLoss{}, L1{.lambda = 1e-3});
  WorkingSet working_set(problem, kEta);
  const EvaluatedModel at = evaluated(problem, Vector(problem.f.dimension(), 0));
  EXPECT_FALSE(working_set.step(at, {.stop = [] { return true; }}));
}

TEST(WorkingSet, AtTheMinimumHasNoStep) {
  const Problem problem = problem_of(SquaredLoss{}, L1{.lambda = 1e3});
  WorkingSet working_set(problem, kEta);
  EXPECT_FALSE(working_set.step(evaluated(problem, Vector(problem.f.dimension(), 0)), {}));
}

TEST(WorkingSet, NeedsASeparableRegularizerAndOneOutput) {
  EXPECT_TRUE(WorkingSet::possible(problem_of(SquaredLoss{}, L1{.lambda = 0.1})));
  EXPECT_FALSE(WorkingSet::possible(problem_of(SquaredLoss{}, L2Ball{.radius = 1})));
  EXPECT_FALSE(WorkingSet::possible(problem_of(SigmoidLoss{}, L1{.lambda = 0.1})));
}

}  // namespace
}  // namespace asynprox
