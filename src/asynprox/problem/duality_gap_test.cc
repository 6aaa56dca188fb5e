#include "asynprox/problem/duality_gap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "asynprox/base/random.h"
#include "asynprox/losses/all.h"
#include "asynprox/problem/best_shift.h"
#include "asynprox/problem/linear_sum.h"
#include "asynprox/regularizers/all.h"

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
  problem.f.outputs_at(x, all_samples(problem.f.num_samples()), at.outputs);
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

}  // namespace
}  // namespace asynprox
