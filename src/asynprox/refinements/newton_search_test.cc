#include "asynprox/refinements/newton_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "asynprox/base/random.h"
#include "asynprox/data/dataset.h"
#include "asynprox/losses/all.h"
#include "asynprox/problem/evaluated_model_testing.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox {
namespace {

constexpr double kEta = 0.5;

Problem problem_of(const AnyLoss& loss, const AnyRegularizer& h,
                   const std::string& name = "generate:sparse-logistic:n=300,d=20,nonzeros=6",
                   bool intercept = false) {
  const Dataset data = read_dataset(name);
  Vector labels = data.labels;
  if (loss.name() == "poisson")
    for (double& label : labels) label = label > 0 ? 2 : 0;
  return make_problem(LinearSum(data, labels, loss, {.outputs = 1, .intercept = intercept}), h);
}

struct Searched {
  EvaluatedModel model;
  NewtonSearch::Next end;
  int looks = 0;
};

// With the Hessian that it wants.
NewtonSearch::Next next(NewtonSearch& search, EvaluatedModel& at,
                        const NewtonSearch::Limits& limits = {}) {
  const NewtonSearch::Next first = search.next(at, limits);
  if (first != NewtonSearch::Next::sum) return first;
  search.sum_share(0);
  return search.next(at, limits);
}

// All the way.
Searched searched(const Problem& problem, NewtonSearch& search, const Vector& x, double fall = 0,
                  bool patient = false) {
  Searched result = {.model = evaluated(problem, x), .end = NewtonSearch::Next::done};
  search.begin();
  for (;; ++result.looks) {
    result.end = next(search, result.model, {.fall = fall, .patient = patient});
    if (result.end != NewtonSearch::Next::look) return result;
    result.model = evaluated(problem, result.model.x);
  }
}

double mapping(const Problem& problem, const EvaluatedModel& at) {
  return gradient_mapping_norm(problem.h, at.x, at.gradient, kEta);
}

// Every convex loss with every kind of kink, with and without an intercept.
TEST(NewtonSearch, ComesToTheMinimum) {
  Vector weights(20, 1);
  weights[3] = weights[7] = 0;
  const std::vector<AnyRegularizer> regularizers = {
      Zero{},
      L1{.lambda = 0.01},
      SquaredL2{.lambda = 0.1},
      ElasticNet{.l1 = 0.01, .l2 = 0.1},
      NonNeg{},
      NonNegL1{.lambda = 0.01},
      Box{.lower = -0.1, .upper = 0.2},
      LinfBall{.radius = 0.1},
      WeightedL1{.lambda = 0.02, .weights = {"", weights}}};
  int tried = 0;
  for_each_member(ScalarLosses{}, [&]<class Loss>(std::type_identity<Loss>) {
    for (const AnyRegularizer& h : regularizers)
      for (const bool intercept : {false, true}) {
        const Problem problem =
            problem_of(Loss{}, h, "generate:sparse-logistic:n=300,d=20,nonzeros=6", intercept);
        if (!problem.f.convex()) continue;
        SCOPED_TRACE(testing::Message()
                     << Loss::name << " + " << h.name() << ", intercept " << intercept);
        NewtonSearch search(problem, kEta);
        Vector x(problem.f.dimension(), 0);
        problem.h.prox(x, 1);
        const double first = evaluated(problem, x).objective.total();
        Searched found = searched(problem, search, x);
        ASSERT_GT(found.looks, 0);
        EXPECT_TRUE(search.found());
        EXPECT_LT(found.model.objective.total(), first);
        found = searched(problem, search, found.model.x);
        EXPECT_LT(mapping(problem, found.model), 1e-6);
        ++tried;
      }
  });
  EXPECT_EQ(tried, 6 * 9 * 2);
}

// Three classes, in columns of which one is far from 0 and one is large.
Problem three_classes(const AnyRegularizer& h, bool intercept) {
  Dataset data = read_dataset("generate:sparse-logistic:n=300,d=6,nonzeros=6");
  CsrMatrix matrix{.num_columns = 6};
  Vector classes;
  for (std::size_t i = 0; i < data.num_samples(); ++i) {
    double score = 0;
    for (const auto& [column, value] : data.rows.row(i)) {
      matrix.columns.push_back(column);
      matrix.values.push_back(column == 1 ? 1e3 * value : column == 4 ? 50 + value : value);
      score += column < 3 ? value : 0;
    }
    matrix.offsets.push_back(matrix.columns.size());
    classes.push_back(i % 7 == 0 ? 1 : score < -0.5 ? 0 : score < 0.5 ? 1 : 2);
  }
  data.rows = Rows::plain(matrix);
  return make_problem(
      LinearSum(data, classes, MultinomialLoss{}, {.outputs = 3, .intercept = intercept}), h);
}

// Column 1 is twice column 0, so that the minimum uses it alone: what that gains is less than the
// objective can show, and less than a ridge lets through.
TEST(NewtonSearch, FindsTheCheaperOfTwoColumnsThatAreTheSameButForTheirSize) {
  const Random random(4);
  CsrMatrix matrix{.num_columns = 2};
  Dataset data;
  for (std::size_t i = 0; i < 200; ++i) {
    const double entry = 1e11 * random.uniform_at(2 * i);
    matrix.columns.insert(matrix.columns.end(), {0, 1});
    matrix.values.insert(matrix.values.end(), {entry, 2 * entry});
    matrix.offsets.push_back(matrix.columns.size());
    data.labels.push_back(entry > 1e11 * random.uniform_at(2 * i + 1) ? 1 : -1);
  }
  data.rows = Rows::plain(matrix);
  const Problem problem = make_problem(LinearSum(data, data.labels, LogisticLoss{}, {.outputs = 1}),
                                       L1{.lambda = 1e-3});
  NewtonSearch search(problem, /*eta=*/1e-23);
  Searched found = {.model = evaluated(problem, {1e-12, 1e-12}), .end = NewtonSearch::Next::done};
  for (int times = 0; times < 20; ++times)
    found = searched(problem, search, found.model.x, /*fall=*/0, /*patient=*/true);
  EXPECT_EQ(found.model.x[0], 0);
  EXPECT_GT(found.model.x[1], 0);
}

TEST(NewtonSearch, ComesToTheMinimumOfSeveralOutputs) {
  for (const AnyRegularizer& h :
       {AnyRegularizer(L1{.lambda = 0.01}), AnyRegularizer(SquaredL2{.lambda = 0.1}),
        AnyRegularizer(ElasticNet{.l1 = 0.01, .l2 = 0.1}), AnyRegularizer(NonNegL1{.lambda = 0.01}),
        AnyRegularizer(Box{.lower = -0.1, .upper = 0.2})})
    for (const bool intercept : {false, true}) {
      SCOPED_TRACE(testing::Message() << h.name() << ", intercept " << intercept);
      const Problem problem = three_classes(h, intercept);
      // As long as the steepest column lets a step be.
      const double eta = 1e-6;
      NewtonSearch search(problem, eta);
      Vector x(problem.f.dimension(), 0);
      const EvaluatedModel first = evaluated(problem, x);
      Searched found = searched(problem, search, x, /*fall=*/0, /*patient=*/true);
      ASSERT_GT(found.looks, 0);
      for (int more = 0; more < 3; ++more)
        found = searched(problem, search, found.model.x, /*fall=*/0, /*patient=*/true);
      EXPECT_LT(gradient_mapping_norm(problem.h, found.model.x, found.model.gradient, eta),
                1e-6 * gradient_mapping_norm(problem.h, x, first.gradient, eta));
    }
}

TEST(NewtonSearch, TakesFewLooksAtWhatIsNearlyQuadratic) {
  const Problem problem = problem_of(LogisticLoss{}, L1{.lambda = 0.01});
  NewtonSearch search(problem, kEta);
  const Searched found = searched(problem, search, Vector(20, 0), /*fall=*/1e-16);
  EXPECT_LE(found.looks, 8);
  EXPECT_LT(mapping(problem, found.model), 1e-9);
  EXPECT_EQ(search.samples_read() % 300, 0);
  EXPECT_GE(search.samples_read(), 300 * found.looks);
}

TEST(NewtonSearch, RestsWhereLittleIsToBeGainedAndGoesOnWhenAsked) {
  const Problem problem = problem_of(LogisticLoss{}, L1{.lambda = 0.01});
  NewtonSearch search(problem, kEta);
  Searched found = searched(problem, search, Vector(20, 0), /*fall=*/1e-3);
  EXPECT_EQ(found.end, NewtonSearch::Next::rest);
  const double rough = found.model.objective.total();
  EXPECT_EQ(next(search, found.model), NewtonSearch::Next::look);
  found.model = evaluated(problem, found.model.x);
  EXPECT_LT(found.model.objective.total(), rough);
  EXPECT_GT(found.model.objective.total(), rough - 1e-2);
}

// What was told last is not what it wanted to look at, but worse.
TEST(NewtonSearch, PutsTheBestBackWhereALookWasInVain) {
  const Problem problem = problem_of(LogisticLoss{}, L1{.lambda = 0.01});
  NewtonSearch search(problem, kEta);
  const EvaluatedModel first = evaluated(problem, Vector(20, 0));
  EvaluatedModel at = first;
  search.begin();
  ASSERT_EQ(next(search, at), NewtonSearch::Next::look);
  int looks = 0;
  for (NewtonSearch::Next end = NewtonSearch::Next::look; end == NewtonSearch::Next::look;) {
    ASSERT_LT(++looks, 30);
    at.objective.loss = std::numeric_limits<double>::infinity();
    at.outputs.assign(at.outputs.size(), 1e6);
    end = next(search, at);
  }
  EXPECT_FALSE(search.found());
  EXPECT_EQ(at.x, first.x);
  EXPECT_EQ(at.objective.total(), first.objective.total());
  EXPECT_EQ(at.gradient, first.gradient);
  EXPECT_EQ(at.outputs, first.outputs);
  EXPECT_EQ(at.scalars, first.scalars);
  // It does not try at once again ...
  search.begin();
  EXPECT_EQ(next(search, at), NewtonSearch::Next::done);
  // ... but later.
  search.begin();
  EXPECT_EQ(next(search, at), NewtonSearch::Next::look);
}

// More than a matrix has room for, of fewer samples and of more.
TEST(NewtonSearch, ComesToTheMinimumOfManyCoordinates) {
  for (const char* name : {"generate:sparse-logistic:n=300,d=2000,nonzeros=30",
                           "generate:sparse-logistic:n=4000,d=1000,nonzeros=30"}) {
    const Problem problem = problem_of(LogisticLoss{}, ElasticNet{.l1 = 1e-4, .l2 = 1e-3}, name);
    NewtonSearch search(problem, kEta);
    const Searched found =
        searched(problem, search, Vector(problem.f.dimension(), 0.1), 0, /*patient=*/true);
    EXPECT_GT(found.looks, 0);
    EXPECT_TRUE(search.found());
    EXPECT_GT(count_nonzeros(found.model.x), NewtonSearch::coordinates_max);
    EXPECT_LT(mapping(problem, found.model), 1e-7) << name;
    EXPECT_GT(search.samples_read(), 0);
  }
}

// Of more samples than coordinates, as long as steps leave fewer and fewer nonzeros.
TEST(NewtonSearch, LeavesManyCoordinatesToStepsThatHelp) {
  const Problem problem = problem_of(LogisticLoss{}, ElasticNet{.l1 = 1e-4, .l2 = 1e-3},
                                     "generate:sparse-logistic:n=4000,d=1000,nonzeros=30");
  EvaluatedModel at = evaluated(problem, Vector(1000, 0.1));
  NewtonSearch search(problem, kEta);
  search.begin();
  EXPECT_EQ(next(search, at), NewtonSearch::Next::done);
  search.begin();
  EXPECT_EQ(next(search, at), NewtonSearch::Next::look) << "as many as before";
}

TEST(NewtonSearch, ComesToTheMinimumOfCentredData) {
  Dataset data = read_dataset("generate:sparse-logistic:n=300,d=20,nonzeros=6");
  center_columns(data);
  const Problem problem =
      make_problem(LinearSum(data, data.labels, LogisticLoss{}), L1{.lambda = 0.01});
  ASSERT_TRUE(NewtonSearch::possible(problem));
  NewtonSearch search(problem, kEta);
  EXPECT_LT(mapping(problem, searched(problem, search, Vector(20, 0)).model), 1e-6);
}

// By columns: what is good enough ends it before a step, and a stop leaves the model as it is.
TEST(NewtonSearch, EndsWhereAModelIsGoodEnoughOrItIsStopped) {
  const Problem problem = problem_of(LogisticLoss{}, L1{.lambda = 1e-3},
                                     "generate:sparse-logistic:n=50,d=2000,nonzeros=10");
  EvaluatedModel at = evaluated(problem, Vector(2000, 0));
  NewtonSearch search(problem, kEta);
  search.begin();
  EXPECT_EQ(search.next(at, {.enough = [](const EvaluatedModel&) { return true; }}),
            NewtonSearch::Next::rest);
  search.begin();
  EXPECT_EQ(search.next(at, {.stop = [] { return true; }}), NewtonSearch::Next::done);
  EXPECT_EQ(at.x, Vector(2000, 0));
  EXPECT_FALSE(search.found());
}

TEST(NewtonSearch, MakesNothingOfAnInfiniteObjective) {
  const Problem problem = problem_of(LogisticLoss{}, L1{.lambda = 0.01});
  NewtonSearch search(problem, kEta);
  EvaluatedModel at = evaluated(problem, Vector(20, 0));
  at.objective.loss = std::numeric_limits<double>::infinity();
  search.begin();
  EXPECT_EQ(next(search, at), NewtonSearch::Next::done);
}

TEST(NewtonSearch, IsForConvexLossesOfOneOutputAndSeparableRegularizers) {
  EXPECT_TRUE(NewtonSearch::possible(problem_of(LogisticLoss{}, L1{.lambda = 0.01})));
  EXPECT_FALSE(NewtonSearch::possible(problem_of(SigmoidLoss{}, L1{.lambda = 0.01})));
  EXPECT_FALSE(NewtonSearch::possible(problem_of(LogisticLoss{}, L2Ball{})));
}

}  // namespace
}  // namespace asynprox
