#include "asynprox/certificates/dual_refinement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <tuple>

#include "asynprox/base/random.h"
#include "asynprox/certificates/duality_gap.h"
#include "asynprox/losses/all.h"
#include "asynprox/problem/evaluated_model_testing.h"
#include "asynprox/refinements/common_shift.h"
#include "asynprox/refinements/fista_search.h"
#include "asynprox/refinements/newton_search.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox {
namespace {

constexpr std::size_t kSamples = 120, kClasses = 3;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Of two columns the first has entries of offset + spread * (0 to 1), and the second, of 0 to 1, may
// be added to it; `labels` of a draw in 0 to 1 that both explain.
template <class Label>
Dataset table(std::uint64_t seed, double offset, double spread, bool added, Label label) {
  const Random random(seed);
  CsrMatrix matrix{.num_columns = 2};
  Dataset data;
  for (std::size_t i = 0; i < kSamples; ++i) {
    const double first = random.uniform_at(3 * i), second = random.uniform_at(3 * i + 1);
    matrix.columns.insert(matrix.columns.end(), {0, 1});
    const double far = offset + spread * first;
    matrix.values.insert(matrix.values.end(), {far, added ? far + 1e3 * second : second});
    matrix.offsets.push_back(matrix.columns.size());
    data.labels.push_back(label((first + second + random.uniform_at(3 * i + 2)) / 3));
  }
  data.rows = Rows::plain(matrix);
  return data;
}

double measured(double draw) { return draw; }
double side(double draw) { return draw > 0.5 ? 1 : -1; }
double third(double draw) { return draw < 0.4 ? 0 : draw < 0.6 ? 1 : 2; }

EvaluatedModel at(const Problem& problem, Vector x) {
  EvaluatedModel model;
  model.x = std::move(x);
  model.objective.loss = value_and_gradient(problem.f, model.x, model.gradient);
  model.objective.regularizer = problem.h.value(model.x);
  return model;
}

double refined(const Problem& problem, const EvaluatedModel& model) {
  DescentMetric metric(problem);
  return refined_dual_value(problem, metric, model, kInfinity).value();
}

struct Case {
  AnyLoss loss = SquaredLoss{};
  AnyRegularizer h = L1{.lambda = 1e-3};
  double offset = 0, spread = 1;
  bool added = false;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const AnyRegularizer& h :
       {AnyRegularizer(L1{.lambda = 1e-3}), AnyRegularizer(SquaredL2{.lambda = 1e-3}),
        AnyRegularizer(ElasticNet{.l1 = 1e-3, .l2 = 1e-3}), AnyRegularizer(L2Norm{.lambda = 1e-3})})
    for (const AnyLoss& loss : {AnyLoss(SquaredLoss{}), AnyLoss(LogisticLoss{}),
                                AnyLoss(HuberLoss{}), AnyLoss(MultinomialLoss{})})
      for (const auto& [offset, spread, added] :
           {std::tuple(0.0, 1.0, false), std::tuple(1.6e9, 3e7, false),
            std::tuple(1.6e9, 3e7, true)})
        all.push_back({.loss = loss, .h = h, .offset = offset, .spread = spread, .added = added});
  return all;
}

Problem problem_of(const Case& that, std::uint64_t seed) {
  const bool classes = that.loss.name() == MultinomialLoss::name;
  const auto label = classes ? third : that.loss.labels() == Labels::signs ? side : measured;
  const Dataset data = table(seed, that.offset, that.spread, that.added, label);
  return make_problem(LinearSum(data, data.labels, that.loss,
                                {.outputs = classes ? kClasses : 1, .intercept = true}),
                      that.h);
}

// A random model, in the scale of the columns; with the intercept that suits it.
Vector random_model(const Problem& problem, const Case& that, const Random& random,
                    std::uint64_t draw) {
  Vector x(problem.f.dimension(), 0);
  const std::size_t outputs = problem.f.outputs();
  for (std::size_t j = 0; j < 2 * outputs; ++j)
    x[j] =
        (2 * random.uniform_at(10 * draw + j) - 1) / (j < outputs || that.added ? that.spread : 1);
  for (std::size_t c = 0; c < outputs; ++c)
    x[2 * outputs + c] = -that.offset * (x[c] + (that.added ? x[outputs + c] : 0));
  return problem.f.best_intercept(x).value();
}

// The lowest objective that 300 passes find.
double about_the_minimum(const Problem& problem) {
  FistaSearch search(problem);
  EvaluatedModel model = at(problem, Vector(problem.f.dimension(), 0));
  for (int passes = 0; passes < 300; ++passes) {
    if (search.next(model, true) != FistaSearch::Next::look) break;
    model = at(problem, model.x);
  }
  search.next(model, false);
  return model.objective.total();
}

// Whatever model it is asked at, and whatever it does on its way.
TEST(RefinedDualValue, IsBelowEveryObjective) {
  const Random random(7);
  for (const Case& that : cases())
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE(testing::Message()
                   << that.loss.name() << " " << that.h.name() << " " << that.offset);
      const Problem problem = problem_of(that, seed);
      const double lowest = about_the_minimum(problem);
      double highest_bound = -kInfinity;
      for (std::uint64_t draw = 0; draw < 5; ++draw) {
        const EvaluatedModel model = at(problem, random_model(problem, that, random, draw));
        DescentMetric metric(problem);
        if (const auto bound = refined_dual_value(problem, metric, model, kInfinity))
          highest_bound = std::max(highest_bound, *bound);
      }
      EXPECT_LE(highest_bound, lowest * (1 + 1e-12));
    }
}

// Where Newton's method comes to in twenty searches.
EvaluatedModel newton_minimum(const Problem& problem, double eta) {
  EvaluatedModel model = evaluated(problem, Vector(problem.f.dimension(), 0));
  NewtonSearch search(problem, eta);
  for (int times = 0; times < 20; ++times) {
    search.begin();
    for (;;) {
      const NewtonSearch::Next next = search.next(model, {.patient = true});
      if (next == NewtonSearch::Next::sum) search.sum_share(0);
      if (next == NewtonSearch::Next::look) model = evaluated(problem, model.x);
      if (next == NewtonSearch::Next::done || next == NewtonSearch::Next::rest) break;
    }
  }
  return model;
}

// Two columns that differ by 3e-4 of their deviation, and outputs from sums of large terms.
TEST(RefinedDualValue, ClosesTheGapWhereColumnsNearlyDependOnEachOther) {
  for (const AnyLoss& loss : {AnyLoss(LogisticLoss{}), AnyLoss(MultinomialLoss{})}) {
    const Case that = {.loss = loss, .offset = 1.6e9, .spread = 3e6, .added = true};
    const Problem problem = problem_of(that, /*seed=*/1);
    const EvaluatedModel model = newton_minimum(problem, /*eta=*/1e-18);
    const double objective = model.objective.total();
    EXPECT_GT(refined(problem, model), (1 - 1e-4) * objective) << loss.name();
  }
}

// Start and end of something, in milliseconds: no model has outputs of which the slopes are exact to
// a part of lambda. The third column is constant.
TEST(RefinedDualValue, ClosesTheGapBesideModelsThatRoundingKeepsApart) {
  const Random random(11);
  CsrMatrix matrix{.num_columns = 3};
  Dataset data;
  for (std::size_t i = 0; i < kSamples; ++i) {
    const double start = std::floor(3e11 * random.uniform_at(3 * i));
    const double length = std::floor(7e6 * random.uniform_at(3 * i + 1));
    matrix.columns.insert(matrix.columns.end(), {0, 1, 2});
    matrix.values.insert(matrix.values.end(), {1.6e12 + start, 1.6e12 + start + length, 2});
    matrix.offsets.push_back(matrix.columns.size());
    data.labels.push_back(third((start / 3e11 + length / 7e6 + random.uniform_at(3 * i + 2)) / 3));
  }
  data.rows = Rows::plain(matrix);
  for (const double lambda : {1e-2, 1e-3, 1e-4})
    for (const bool intercept : {false, true}) {
      const Problem problem = make_problem(LinearSum(data, data.labels, MultinomialLoss{},
                                                     {.outputs = kClasses, .intercept = intercept}),
                                           L1{.lambda = lambda});
      EvaluatedModel model = newton_minimum(problem, /*eta=*/1e-25);
      choose_common_shift(problem, model.x);
      const double objective = model.objective.total();
      const double bound = refined(problem, model);
      EXPECT_GT(bound, (1 - 1e-4) * objective)
          << lambda << " " << intercept << " " << bound / objective - 1;
      // Outputs are differences of terms of 10^5, so that no objective is exact to more than that.
      EXPECT_LE(bound, (1 + 1e-9) * objective) << lambda << " " << intercept;
    }
}

// The conjugate is infinite as soon as rounding makes a slope negative.
TEST(RefinedDualValue, IsKnownOfPositiveCoefficients) {
  for (const AnyLoss& loss :
       {AnyLoss(SquaredLoss{}), AnyLoss(HuberLoss{}), AnyLoss(LogisticLoss{})})
    for (const std::uint64_t seed : {2, 3, 4}) {
      const Problem problem = problem_of({.loss = loss, .h = NonNeg{}}, seed);
      const EvaluatedModel model = newton_minimum(problem, /*eta=*/1e-2);
      EXPECT_GT(refined(problem, model), (1 - 1e-6) * model.objective.total()) << loss.name();
    }
}

// The exact minimum of the squared loss with an l1 norm and one column: x = (cov - lambda) / var.
TEST(RefinedDualValue, IsTheMinimumWhereThePlainBoundIsLostToRounding) {
  const double lambda = 1e-3, offset = 1.6e12, spread = 3e10;
  const Random random(3);
  CsrMatrix matrix{.num_columns = 1};
  Dataset data;
  const auto entry = [&](std::size_t i) { return std::floor(spread * random.uniform_at(i)); };
  for (std::size_t i = 0; i < kSamples; ++i) {
    matrix.columns.push_back(0);
    matrix.values.push_back(offset + entry(i));
    matrix.offsets.push_back(i + 1);
    data.labels.push_back(random.uniform_at(i) + random.uniform_at(5000 + i));
  }
  data.rows = Rows::plain(matrix);
  const Problem problem =
      make_problem(LinearSum(data, data.labels, SquaredLoss{}, {.outputs = 1, .intercept = true}),
                   L1{.lambda = lambda});
  double mean = 0, label = 0, cov = 0, var = 0, labels = 0;
  for (std::size_t i = 0; i < kSamples; ++i) mean += entry(i) / kSamples;
  for (std::size_t i = 0; i < kSamples; ++i) label += data.labels[i] / kSamples;
  for (std::size_t i = 0; i < kSamples; ++i) {
    cov += (entry(i) - mean) * (data.labels[i] - label) / kSamples;
    var += (entry(i) - mean) * (entry(i) - mean) / kSamples;
    labels += (data.labels[i] - label) * (data.labels[i] - label) / kSamples;
  }
  const double x = (cov - lambda) / var;
  const double minimum = 0.5 * (labels - 2 * x * cov + x * x * var) + lambda * x;
  // An error of the coefficient that no objective shows.
  for (const double away : {0.0, 1e-10, 1e-9}) {
    const double coefficient = x * (1 + away);
    const EvaluatedModel model =
        at(problem, problem.f.best_intercept(Vector{coefficient, -coefficient * offset}).value());
    EXPECT_NEAR(model.objective.total(), minimum, 1e-10 * minimum);
    EXPECT_NEAR(refined(problem, model), minimum, 1e-8 * minimum);
    EXPECT_LE(refined(problem, model), minimum * (1 + 1e-12));
    EXPECT_LT(dual_value(problem, model).value(), 0.999 * minimum) << "there is nothing to refine";
  }
}

}  // namespace
}  // namespace asynprox
