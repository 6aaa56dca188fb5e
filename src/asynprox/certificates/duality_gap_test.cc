#include "asynprox/certificates/duality_gap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "asynprox/base/random.h"
#include "asynprox/losses/all.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/sums/best_shift.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox {
namespace {

constexpr std::size_t kSamples = 1100, kFeatures = 5;

Dataset random_data() {
  const Random random(9);
  CsrMatrix matrix{.num_columns = kFeatures};
  Dataset data;
  for (std::size_t i = 0; i < kSamples; ++i) {
    for (Key j = 0; j < kFeatures; ++j) {
      matrix.columns.push_back(j);
      matrix.values.push_back(random.uniform_at(kFeatures * i + j) - 0.4);
    }
    matrix.offsets.push_back(matrix.columns.size());
    data.labels.push_back(random.uniform_at(100000 + i) < 0.6 ? 1 : -1);
    data.weights.push_back(random.uniform_at(200000 + i));
  }
  data.rows = Rows::plain(matrix);
  return data;
}

// sup over u of theta u - phi(u, y), by looking for it: phi is convex, so that a search by thirds
// finds it, where it lies in [-60, 60].
double slow_conjugate(const AnyLoss& loss, double theta, double y) {
  const auto value = [&](double u) {
    double phi = 0;
    loss.values({&u, 1}, {&y, 1}, {&phi, 1});
    return theta * u - phi;
  };
  double left = -60, right = 60;
  for (int round = 0; round < 300; ++round) {
    const double a = left + (right - left) / 3, b = right - (right - left) / 3;
    (value(a) < value(b) ? left : right) = value(a) < value(b) ? a : b;
  }
  return value((left + right) / 2);
}

// D of an l1 penalty by its definition, from the rows' entries: the theta_i at x, the intercept
// chosen by a search of its own, scaled so that no |sum_i w_i theta_i z_ij| / n is above lambda.
double slow_dual(const Dataset& data, const AnyLoss& loss, double lambda, const Vector& x,
                 bool intercept) {
  Vector weights = data.weights;
  const double mean = std::accumulate(weights.begin(), weights.end(), 0.0) / kSamples;
  for (double& w : weights) w /= mean;
  const auto thetas = [&](double b) {
    Vector theta(kSamples);
    for (std::size_t i = 0; i < kSamples; ++i) {
      double u = b;
      for (const auto& [column, value] : data.rows.row(i)) u += value * x[column];
      loss.derivatives({&u, 1}, {&data.labels[i], 1}, {&theta[i], 1});
    }
    return theta;
  };
  double low = -50, high = 50;
  for (int round = 0; intercept && round < 200; ++round)
    (dot(thetas((low + high) / 2), weights) < 0 ? low : high) = (low + high) / 2;
  Vector theta = thetas(intercept ? (low + high) / 2 : 0), correlation(kFeatures, 0);
  for (std::size_t i = 0; i < kSamples; ++i)
    for (const auto& [column, value] : data.rows.row(i))
      correlation[column] += weights[i] * theta[i] * value / kSamples;
  double largest = 0;
  for (const double c : correlation) largest = std::max(largest, std::abs(c));
  const double s = std::min(1.0, lambda / largest);
  double dual = 0;
  for (std::size_t i = 0; i < kSamples; ++i)
    dual -= weights[i] * slow_conjugate(loss, s * theta[i], data.labels[i]) / kSamples;
  return dual;
}

double dual_of(const Problem& problem, const Vector& x) {
  EvaluatedModel at;
  at.x = x;
  at.objective.loss = value_and_gradient(problem.f, x, at.gradient);
  const double dual = dual_value(problem, at).value();
  at.outputs.resize(problem.f.num_samples() * problem.f.outputs());
  problem.f.linear()->outputs_at(x, all_samples(problem.f.num_samples()), at.outputs);
  EXPECT_EQ(dual_value(problem, at), dual) << "whether outputs are known or not";
  return dual;
}

const Vector kPoint = {0.3, -0.2, 0.5, 0.1, -0.7};

TEST(DualValue, IsWhatItsDefinitionSays) {
  const Dataset data = random_data();
  const std::vector<AnyLoss> losses = {SquaredLoss{}, LogisticLoss{}, SquaredHingeLoss{},
                                       SmoothedHingeLoss{}, HuberLoss{}};
  for (const AnyLoss& loss : losses)
    for (const bool intercept : {false, true})
      for (const double lambda : {0.003, 0.03, 10.0}) {
        SCOPED_TRACE(testing::Message() << loss.name() << " " << intercept << " " << lambda);
        const Problem problem = make_problem(
            LinearSum(data, data.labels, loss, {.intercept = intercept}), L1{.lambda = lambda});
        Vector x = kPoint;
        if (intercept) x.push_back(0.7);
        EXPECT_NEAR(dual_of(problem, x), slow_dual(data, loss, lambda, kPoint, intercept), 1e-9);
      }
}

// f(x) + h(x) >= D for any x and any x' at which D is taken.
TEST(DualValue, IsBelowEveryObjective) {
  const Dataset data = random_data();
  const Problem problem =
      make_problem(LinearSum(data, data.labels, LogisticLoss{}, {.intercept = true}),
                   ElasticNet{.l1 = 0.01, .l2 = 0.02});
  const Random random(4);
  for (std::uint64_t draw = 0; draw < 200; ++draw) {
    Vector x(kFeatures + 1), y(kFeatures + 1);
    for (std::size_t j = 0; j < x.size(); ++j) {
      x[j] = 4 * random.uniform_at(20 * draw + j) - 2;
      y[j] = 4 * random.uniform_at(20 * draw + 10 + j) - 2;
    }
    EXPECT_LE(dual_of(problem, x), objective(problem, y).total());
  }
}

TEST(BestShift, MakesTheSlopesZero) {
  const Vector u = {0.5, -1, 2, 0.25}, y = {1, -1, -1, 1}, weights = {1, 2, 0.5, 3};
  const std::optional<Vector> b = best_shift(LogisticLoss{}, u, y, weights);
  ASSERT_TRUE(b);
  double slope = 0;
  for (std::size_t i = 0; i < u.size(); ++i)
    slope += weights[i] * LogisticLoss{}.derivative(u[i] + b->front(), y[i]);
  EXPECT_NEAR(slope, 0, 1e-14);
}

TEST(BestShift, OfSquaresIsTheMeanOfWhatIsLeft) {
  const Vector u = {0, 1, 2}, y = {3, 3, 9};
  EXPECT_NEAR(best_shift(SquaredLoss{}, u, y, {})->front(), 4, 1e-14);
}

TEST(BestShift, OfOneLabelIsNone) {
  const Vector u = {0, 1}, y = {1, 1};
  EXPECT_FALSE(best_shift(LogisticLoss{}, u, y, {}));
}

TEST(BestShift, OfSeveralOutputsMakesEachSlopeZero) {
  const Random random(8);
  Vector u(30 * 3), y(30);
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = 4 * random.uniform_at(i) - 2;
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = static_cast<double>(i % 7 > 3 ? i % 3 : 0);
  const std::optional<Vector> b = best_shift(MultinomialLoss{}, u, y, {});
  ASSERT_TRUE(b);
  Vector shifted = u, derivatives(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) shifted[i] += (*b)[i % 3];
  AnyLoss(MultinomialLoss{}).derivatives(shifted, y, derivatives);
  for (std::size_t c = 0; c < 3; ++c) {
    double slope = 0;
    for (std::size_t i = 0; i < y.size(); ++i) slope += derivatives[3 * i + c];
    EXPECT_NEAR(slope, 0, 1e-12);
  }
}

// A model that is nearly optimal, with a gradient a little beyond what h allows: f at the whole
// dual point, with h bounded where h <= F, tells more than f at a point that was scaled back.
TEST(DualValue, OfAHomogeneousRegularizerIsBoundedByTheObjective) {
  const Dataset data = random_data();
  const Problem problem =
      make_problem(LinearSum(data, data.labels, SquaredLoss{}), L1{.lambda = 1e-3});
  Vector x(kFeatures, 0), gradient;
  double lowest = std::numeric_limits<double>::infinity();
  for (int step = 0; step < 5000; ++step) {
    value_and_gradient(problem.f, x, gradient);
    add_scaled(x, -0.5, gradient);
    problem.h.prox(x, 0.5);
    lowest = std::min(lowest, objective(problem, x).total());
  }
  for (const double away : {1e-1, 1e-3, 1e-5}) {
    EvaluatedModel at;
    at.x = x;
    at.x[1] += away;
    at.objective.loss = value_and_gradient(problem.f, at.x, at.gradient);
    at.objective.regularizer = problem.h.value(at.x);
    const double dual = *dual_value(problem, at), error = at.objective.total() - lowest;
    EXPECT_LE(dual, lowest + 1e-12) << away;
    const double scale = problem.h.dual_scale([&] {
      Vector minus = at.gradient;
      asynprox::scale(minus, -1);
      return minus;
    }());
    ASSERT_LT(scale, 1);
    const double by_objective =
        dot(at.gradient, at.x) + at.objective.regularizer + at.objective.total() * (1 / scale - 1);
    EXPECT_LE(at.objective.total() - dual, by_objective + 1e-12) << away;
    EXPECT_GE(at.objective.total() - dual, error - 1e-12) << away;
  }
}

// Where a coordinate may grow for free, only s = 0 makes h* finite, and a bound of f alone is none.
TEST(DualValue, IsNoneWhereACoordinateIsFree) {
  const Dataset data = random_data();
  const Problem problem = make_problem(LinearSum(data, data.labels, SquaredLoss{}), NonNeg{});
  EvaluatedModel at;
  at.x.assign(kFeatures, 0.1);
  at.objective.loss = value_and_gradient(problem.f, at.x, at.gradient);
  ASSERT_LT(*std::ranges::min_element(at.gradient), 0);
  EXPECT_FALSE(dual_value(problem, at));
}

// The sum of the losses' derivatives is 0 up to rounding, which an intercept of 10^8 multiplies.
TEST(DualValue, StaysBelowTheMinimumWithAColumnFarFromZero) {
  Dataset data = random_data();
  data.weights.clear();
  CsrMatrix matrix{.num_columns = 1};
  const Random random(3);
  for (std::size_t i = 0; i < kSamples; ++i) {
    matrix.columns.push_back(0);
    matrix.values.push_back(1e8 + random.uniform_at(i));
    matrix.offsets.push_back(i + 1);
    data.labels[i] = random.uniform_at(i) + 0.1 * random.uniform_at(5000 + i);
  }
  data.rows = Rows::plain(matrix);
  const double lambda = 1e-3;
  const Problem problem =
      make_problem(LinearSum(data, data.labels, SquaredLoss{}, {.outputs = 1, .intercept = true}),
                   L1{.lambda = lambda});
  // The exact minimum, of the centred column: x = (cov - lambda) / var.
  double mean = 0, label = 0, cov = 0, var = 0, labels = 0;
  const auto entry = [&](std::size_t i) { return random.uniform_at(i); };
  for (std::size_t i = 0; i < kSamples; ++i) mean += entry(i) / kSamples;
  for (std::size_t i = 0; i < kSamples; ++i) label += data.labels[i] / kSamples;
  for (std::size_t i = 0; i < kSamples; ++i) {
    cov += (entry(i) - mean) * (data.labels[i] - label) / kSamples;
    var += (entry(i) - mean) * (entry(i) - mean) / kSamples;
    labels += (data.labels[i] - label) * (data.labels[i] - label) / kSamples;
  }
  const double x = (cov - lambda) / var;
  const double minimum = 0.5 * (labels - 2 * x * cov + x * x * var) + lambda * x;
  for (const double away : {0.0, 1e-6, 1e-4}) {
    EvaluatedModel at;
    at.x = {x + away, label - (x + away) * (1e8 + mean)};
    at.objective.loss = value_and_gradient(problem.f, at.x, at.gradient);
    at.objective.regularizer = problem.h.value(at.x);
    const std::optional<double> dual = dual_value(problem, at);
    ASSERT_TRUE(dual) << away;
    // Outputs are differences of numbers of 10^8, known to 1e-8.
    EXPECT_LE(*dual, minimum * (1 + 1e-6)) << away;
    EXPECT_GE(*dual, minimum * (1 - 1e-2)) << away;
  }
}

}  // namespace
}  // namespace asynprox
