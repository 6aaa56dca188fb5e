#include "asynprox/refinements/class_working_set.h"

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
constexpr std::size_t kClasses = 4, kFeatures = 300;

struct Shape {
  bool intercept = false, treated = false;  // weights, and scales of rows and columns
};

// More features than samples, of four classes that follow three of the features.
Problem problem_of(const AnyRegularizer& h, const Shape& shape = {}) {
  Dataset data = read_dataset("generate:sparse-logistic:n=200,d=300,nonzeros=12");
  Vector classes;
  for (std::size_t i = 0; i < data.num_samples(); ++i) {
    double score = 0;
    for (const auto& [column, value] : data.rows.row(i)) score += column < 60 ? value : 0;
    classes.push_back(i % 9 == 0 ? 3 : score < -0.3 ? 0 : score < 0.3 ? 1 : 2);
    if (!shape.treated) continue;
    data.weights.push_back(i == 5 ? 0 : 0.5 + static_cast<double>(i % 3));
    data.row_scale.push_back(1 + 0.1 * static_cast<double>(i % 5));
  }
  for (std::size_t j = 0; j < kFeatures && shape.treated; ++j)
    data.column_scale.push_back(1 + 0.2 * static_cast<double>(j % 4));
  return make_problem(LinearSum(data, classes, MultinomialLoss{},
                                {.outputs = kClasses, .intercept = shape.intercept}),
                      h);
}

struct Searched {
  EvaluatedModel model;
  int steps = 0;
  bool fell = true;  // the objective at each
};

Searched searched(const Problem& problem, int steps_max) {
  ClassWorkingSet working_set(problem, kEta);
  Vector x(problem.f.dimension(), 0);
  problem.h.prox(x, 1);
  Searched found = {.model = evaluated(problem, x)};
  for (; found.steps < steps_max; ++found.steps) {
    const auto step = working_set.step(found.model, {});
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

std::vector<AnyRegularizer> regularizers() {
  Vector weights(kFeatures * kClasses, 1);
  weights[3] = weights[7] = 0.1;
  return {L1{.lambda = 2e-3},
          ElasticNet{.l1 = 2e-3, .l2 = 5e-3},
          SquaredL2{.lambda = 0.1},
          NonNegL1{.lambda = 2e-3},
          Box{.lower = -0.1, .upper = 0.2},
          WeightedL1{.lambda = 2e-3, .weights = {"", weights}},
          GroupLasso{.lambda = 2e-3, .size = kClasses},
          SparseGroupLasso{.l1 = 1e-3, .group = 1e-3, .size = kClasses}};
}

// With every h that is a sum over coordinates or rows, plain and with all that is implicit.
TEST(ClassWorkingSet, ComesToTheMinimumAndNeverRises) {
  for (const AnyRegularizer& h : regularizers())
    for (const bool intercept : {false, true})
      for (const bool treated : {false, true}) {
        const Problem problem = problem_of(h, {.intercept = intercept, .treated = treated});
        SCOPED_TRACE(testing::Message()
                     << h.name() << ", intercept " << intercept << ", treated " << treated);
        ASSERT_TRUE(ClassWorkingSet::possible(problem));
        const Searched found = searched(problem, 80);
        EXPECT_TRUE(found.fell);
        EXPECT_GT(found.steps, 0);
        EXPECT_LT(mapping(problem, found.model), 1e-6);
        EXPECT_GT(count_nonzeros(found.model.x), 20U);
      }
}

TEST(ClassWorkingSet, ComesToTheObjectiveOfFista) {
  for (const AnyRegularizer& h : regularizers()) {
    const Problem problem = problem_of(h, {.intercept = true});
    FistaSearch fista(problem);
    EvaluatedModel at = evaluated(problem, Vector(problem.f.dimension(), 0));
    for (int looks = 0; looks < 800; ++looks) {
      if (fista.next(at, true) != FistaSearch::Next::look) break;
      at = evaluated(problem, at.x);
    }
    fista.next(at, false);
    const double expected = at.objective.total();
    const double found = searched(problem, 80).model.objective.total();
    EXPECT_LE(found, expected * (1 + 1e-9)) << h.name();
    EXPECT_GE(found, expected * (1 - 1e-4)) << h.name();
  }
}

TEST(ClassWorkingSet, GivesTheSameBitsAtEveryLevelAndAgain) {
  const std::string level(simd_level());
  const Problem problem = problem_of(L1{.lambda = 1e-3}, {.intercept = true});
  const Vector expected = searched(problem, 12).model.x;
  for (const std::string& tried : simd_levels()) {
    set_simd_level(tried);
    EXPECT_EQ(searched(problem, 12).model.x, expected) << tried;
  }
  set_simd_level(level);
}

// What is restored goes on to the same bits.
TEST(ClassWorkingSet, IsSavedAndRestored) {
  const Problem problem = problem_of(L1{.lambda = 1e-3}, {.intercept = true});
  const EvaluatedModel at = evaluated(problem, Vector(problem.f.dimension(), 0));
  ClassWorkingSet first(problem, kEta), second(problem, kEta);
  const auto begun = first.step(at, {});
  ASSERT_TRUE(begun);
  SnapshotWriter writer;
  first.save(writer);
  SnapshotReader reader(writer.bytes());
  second.restore(reader);
  EXPECT_EQ(first.samples_read(), second.samples_read());
  Vector x = at.x;
  for (std::size_t k = 0; k < begun->keys.size(); ++k) x[begun->keys[k]] = begun->to[k];
  const EvaluatedModel next = evaluated(problem, x);
  const auto one = first.step(next, {}), other = second.step(next, {});
  ASSERT_TRUE(one && other);
  EXPECT_EQ(one->keys, other->keys);
  EXPECT_EQ(one->to, other->to);
}

TEST(ClassWorkingSet, StopsWhenAskedAndTakesNothing) {
  const Problem problem = problem_of(L1{.lambda = 1e-3});
  ClassWorkingSet working_set(problem, kEta);
  const EvaluatedModel at = evaluated(problem, Vector(problem.f.dimension(), 0));
  EXPECT_FALSE(working_set.step(at, {.stop = [] { return true; }}));
}

TEST(ClassWorkingSet, AtTheMinimumHasNoStep) {
  const Problem problem = problem_of(L1{.lambda = 1e3});
  ClassWorkingSet working_set(problem, kEta);
  EXPECT_FALSE(working_set.step(evaluated(problem, Vector(problem.f.dimension(), 0)), {}));
}

TEST(ClassWorkingSet, NeedsASumOverCoordinatesOrRows) {
  EXPECT_TRUE(ClassWorkingSet::possible(problem_of(GroupLasso{.lambda = 1, .size = kClasses})));
  EXPECT_FALSE(ClassWorkingSet::possible(problem_of(GroupLasso{.lambda = 1, .size = 3})));
  EXPECT_FALSE(ClassWorkingSet::possible(problem_of(L2Ball{.radius = 1})));
}

}  // namespace
}  // namespace asynprox
