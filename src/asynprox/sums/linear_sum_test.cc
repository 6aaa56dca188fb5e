#include "asynprox/sums/linear_sum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/losses/all.h"
#include "asynprox/problem/smoothness.h"
#include "asynprox/sums/any_finite_sum.h"

namespace asynprox {
namespace {

// 700 rows (more than one piece) of 5 columns, some empty, with scales and weights.
Dataset random_data() {
  const Random random(11);
  std::uint64_t counter = 0;
  CsrMatrix matrix;
  matrix.num_columns = 5;
  Dataset data;
  for (int i = 0; i < 700; ++i) {
    for (Key j = 0; j < 5; ++j) {
      if (random.uniform_at(counter++) < 0.5) continue;
      matrix.columns.push_back(j);
      matrix.values.push_back(2 * random.uniform_at(counter++) - 1);
    }
    matrix.offsets.push_back(matrix.columns.size());
    data.labels.push_back(random.uniform_at(counter++) < 0.5 ? -1 : 1);
    data.weights.push_back(random.uniform_at(counter++));
    data.row_scale.push_back(0.5 + random.uniform_at(counter++));
  }
  data.rows = Rows::narrowed(matrix);
  return data;
}

// F(x; i) by its definition, from the row's entries.
double slow_value(const Dataset& data, const AnyLoss& loss, std::size_t i, const Vector& x) {
  double u = 0;
  for (const auto& [column, value] : data.rows.row(i)) u += value * x[column];
  u *= data.row_scale.empty() ? 1 : data.row_scale[i];
  const double total = std::accumulate(data.weights.begin(), data.weights.end(), 0.0);
  const double weight =
      data.weights.empty() ? 1 : data.weights[i] * static_cast<double>(data.labels.size()) / total;
  double value = 0;
  loss.values({&u, 1}, {&data.labels[i], 1}, {&value, 1});
  return weight * value;
}

std::vector<SampleIndex> some_samples() {
  std::vector<SampleIndex> samples;
  for (SampleIndex i = 0; i < 600; ++i) samples.push_back(i * 7 % 700);
  samples.push_back(3);
  samples.push_back(3);  // samples may repeat
  return samples;
}

const Vector kPoint = {0.3, -0.2, 0.5, 0.1, -0.7};

TEST(LinearSum, ValueIsTheSumOverTheSamples) {
  const Dataset data = random_data();
  for_each_member(ScalarLosses{}, [&]<class Loss>(std::type_identity<Loss>) {
    const LinearSum f(data, data.labels, Loss{});
    double expected = 0;
    for (const SampleIndex i : some_samples()) expected += slow_value(data, Loss{}, i, kPoint);
    EXPECT_NEAR(f.value(kPoint, some_samples()), expected, 1e-11) << Loss::name;
  });
}

TEST(LinearSum, GradientMatchesDifferencesOfTheValue) {
  const Dataset data = random_data();
  for_each_member(ScalarLosses{}, [&]<class Loss>(std::type_identity<Loss>) {
    const LinearSum f(data, data.labels, Loss{});
    const std::vector<SampleIndex> samples = some_samples();
    Vector g(5, 0);
    f.add_gradient(kPoint, samples, {}, g);
    for (std::size_t j = 0; j < 5; ++j) {
      Vector up = kPoint, down = kPoint;
      up[j] += 1e-5;
      down[j] -= 1e-5;
      const double slope = (f.value(up, samples) - f.value(down, samples)) / 2e-5;
      EXPECT_NEAR(g[j], slope, 1e-4) << Loss::name << " coordinate " << j;
    }
  });
}

TEST(LinearSum, TheHalvesMakeTheWhole) {
  const Dataset data = random_data();
  const LinearSum f(data, data.labels, LogisticLoss{});
  const std::vector<SampleIndex> samples = some_samples();
  Vector c(samples.size()), halves(5, 0), whole(5, 0), both(5, 0);
  f.scalars(kPoint, samples, c);
  for (std::size_t start = 0; start < samples.size(); start += 100) {
    const std::size_t size = std::min<std::size_t>(100, samples.size() - start);
    f.scatter(Samples(samples).subspan(start, size), std::span(c).subspan(start, size), halves);
  }
  f.add_gradient(kPoint, samples, {}, whole);
  const double value = f.value_and_gradient(kPoint, samples, both);
  EXPECT_EQ(whole, both);
  EXPECT_EQ(value, f.value(kPoint, samples));
  for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(halves[j], whole[j], 1e-12);
}

// Of every loss, with the intercept and with several outputs.
void expect_outputs_agree(const LinearSum& f, const Vector& x) {
  const std::vector<SampleIndex> samples = some_samples();
  Vector u(samples.size() * f.outputs()), c(u.size()), direct(u.size());
  f.outputs_at(x, samples, u);
  const double value = f.value(x, samples);
  EXPECT_NEAR(f.value_of_outputs(samples, u), value, 1e-12 * (1 + std::abs(value)));
  f.scalars(x, samples, direct);
  f.scalars_of_outputs(samples, u, c);
  for (std::size_t i = 0; i < c.size(); ++i) ASSERT_NEAR(c[i], direct[i], 1e-14) << i;
  Vector kept_u(u.size()), kept_c(u.size()), g(f.dimension(), 0), g_alone(f.dimension(), 0);
  EXPECT_EQ(f.value_and_gradient(x, samples, g, kept_u, kept_c),
            f.value_and_gradient(x, samples, g_alone));
  EXPECT_EQ(g, g_alone);
  EXPECT_EQ(kept_u, u);
  EXPECT_EQ(kept_c, c);
  f.scalars_of_outputs(samples, u, u);  // in place
  EXPECT_EQ(u, c);
  Vector halves(f.dimension(), 0), whole(f.dimension(), 0);
  f.scatter(samples, c, halves);
  f.add_gradient(x, samples, {}, whole);
  for (std::size_t j = 0; j < whole.size(); ++j) EXPECT_NEAR(halves[j], whole[j], 1e-11) << j;
}

// By differences of the scalars, whether the loss tells them or not.
TEST(LinearSum, CurvaturesOfOutputsAreTheSlopesOfTheScalars) {
  Dataset data = random_data();
  const std::vector<SampleIndex> samples = some_samples();
  for (const bool weighted : {false, true}) {
    data.weights.clear();
    for (std::size_t i = 0; weighted && i < data.num_samples(); ++i)
      data.weights.push_back(static_cast<double>(i % 4));
    for_each_member(ScalarLosses{}, [&]<class Loss>(std::type_identity<Loss>) {
      SCOPED_TRACE(Loss::name);
      const AnyFiniteSum f = LinearSum(data, data.labels, Loss{});
      const LinearPredictor& linear = *f.linear();
      const double step = 1e-4;
      Vector u(samples.size()), c(u.size()), ahead(u.size()), curvatures(u.size());
      linear.outputs_at(kPoint, samples, u);
      linear.scalars_of_outputs(samples, u, c);
      linear.curvatures_of_outputs(samples, u, c, curvatures);
      for (std::size_t i = 0; i < u.size(); ++i) ahead[i] = u[i] + step;
      linear.scalars_of_outputs(samples, ahead, ahead);
      for (std::size_t i = 0; i < u.size(); ++i)
        ASSERT_NEAR(curvatures[i], (ahead[i] - c[i]) / step, 5e-4) << i;
    });
  }
}

TEST(LinearSum, OutputsAreHalfTheWayToValuesAndGradients) {
  const Dataset data = random_data();
  for_each_member(ScalarLosses{}, [&]<class Loss>(std::type_identity<Loss>) {
    SCOPED_TRACE(Loss::name);
    expect_outputs_agree(LinearSum(data, data.labels, Loss{}), kPoint);
    Vector with_intercept = kPoint;
    with_intercept.push_back(0.4);
    expect_outputs_agree(LinearSum(data, data.labels, Loss{}, {.intercept = true}), with_intercept);
  });
  Vector classes = data.labels;
  for (double& label : classes) label = label > 0 ? 1 : 0;
  Vector x;
  for (int i = 0; i < 18; ++i) x.push_back(0.1 * (i % 7) - 0.3);
  expect_outputs_agree(
      LinearSum(data, classes, MultinomialLoss{}, {.outputs = 3, .intercept = true}), x);
}

// What a lazy model's workers compute at the coordinates of their samples.
TEST(LinearSum, LocalHalvesMakeTheLocalGradient) {
  const Dataset data = random_data();
  const LinearSum f(data, data.labels, LogisticLoss{});
  const std::vector<SampleIndex> samples = {7, 3, 650, 12, 3};
  KeySet keys(f.dimension());
  LocalRows rows;
  f.localize(samples, keys, rows);
  Vector x, c(samples.size()), expected_c(samples.size());
  for (const Key key : keys.keys()) x.push_back(kPoint[key]);
  f.local_scalars(rows, x, samples, c);
  f.scalars(kPoint, samples, expected_c);
  for (std::size_t i = 0; i < c.size(); ++i) EXPECT_NEAR(c[i], expected_c[i], 1e-14);
  Vector halves(x.size(), 0), local(x.size(), 0), whole(f.dimension(), 0);
  f.local_scatter(rows, samples, c, halves);
  f.add_local_gradient(rows, x, samples, {}, local);
  f.add_gradient(kPoint, samples, {}, whole);
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(halves[i], local[i], 1e-14);
    EXPECT_NEAR(halves[i], whole[keys.keys()[i]], 1e-13);
  }
}

TEST(LinearSum, WeightsMultiplyEachSamplesGradient) {
  const Dataset data = random_data();
  const LinearSum f(data, data.labels, SquaredLoss{});
  Vector twice(5, 0), weighted(5, 0);
  f.add_gradient(kPoint, std::vector<SampleIndex>{1, 1, 2}, {}, twice);
  f.add_gradient(kPoint, std::vector<SampleIndex>{1, 2, 3}, Vector{2, 1, 0}, weighted);
  for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(twice[j], weighted[j], 1e-14);
}

TEST(LinearSum, SquaredGradientNormsMatchSingleGradients) {
  const Dataset data = random_data();
  const LinearSum f(data, data.labels, LogisticLoss{});
  Dataset unscaled = data;
  unscaled.row_scale.clear();
  unscaled.weights.clear();
  for (const Dataset* set : {&data, static_cast<const Dataset*>(&unscaled)}) {
    const LinearSum sum(*set, set->labels, LogisticLoss{});
    double expected = 0;
    for (const SampleIndex sample : some_samples()) {
      Vector g(5, 0);
      sum.add_gradient(kPoint, Samples(&sample, 1), {}, g);
      expected += dot(g, g);
    }
    EXPECT_NEAR(sum.squared_gradient_norms(kPoint, some_samples()), expected, 1e-10);
  }
}

// L_i = c w_i s_i^2 |z_i|^2, and the curvature bound is sum_i c w_i s_i^2 z_i z_i'.
TEST(LinearSum, CurvatureKnowsScalesAndWeights) {
  const Dataset data = random_data();
  const LinearSum f(data, data.labels, LogisticLoss{});
  const double total = std::accumulate(data.weights.begin(), data.weights.end(), 0.0);
  const Vector lipschitz = *f.sample_lipschitz();
  Vector expected(5, 0), got(5, 0);
  const std::vector<SampleIndex> samples = some_samples();
  for (std::size_t i = 0; i < data.num_samples(); ++i) {
    const double factor =
        0.25 * data.weights[i] * 700 / total * data.row_scale[i] * data.row_scale[i];
    double square = 0;
    for (const auto& [column, value] : data.rows.row(i)) square += value * value;
    EXPECT_NEAR(lipschitz[i], factor * square, 1e-14);
  }
  for (const SampleIndex i : samples) {
    const double factor =
        0.25 * data.weights[i] * 700 / total * data.row_scale[i] * data.row_scale[i];
    double u = 0;
    for (const auto& [column, value] : data.rows.row(i)) u += value * kPoint[column];
    for (const auto& [column, value] : data.rows.row(i)) expected[column] += factor * u * value;
  }
  f.add_curvature(kPoint, samples, got);
  for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(got[j], expected[j], 1e-11);
}

struct QuarticLoss {
  static constexpr std::string_view name = "quartic";
  static constexpr std::string_view formula = "(u - y)^4 / 4";
  static constexpr Labels labels = Labels::number;
  static constexpr bool convex = true;
  static constexpr bool nonnegative = true;
  static constexpr auto parameters() { return std::tuple(); }
  double value(double u, double y) const { return std::pow(u - y, 4) / 4; }
  double derivative(double u, double y) const { return std::pow(u - y, 3); }
};

TEST(LinearSum, KnowsNoLipschitzConstantWhereTheLossHasNoCurvature) {
  const Dataset data = random_data();
  const AnyFiniteSum f(LinearSum(data, data.labels, QuarticLoss{}));
  EXPECT_FALSE(f.curvature());
  EXPECT_FALSE(f.curvature_products());
  const AnyFiniteSum curved(LinearSum(data, data.labels, SquaredLoss{}));
  ASSERT_TRUE(curved.curvature());
  EXPECT_TRUE(curved.curvature()->sample_lipschitz({}));
  EXPECT_TRUE(curved.curvature_products());
}

// L_i = max(1, y_i) w_i s_i^2 |z_i|^2 for poisson, and so for what curvature is added.
TEST(LinearSum, LocalCurvatureIsThatOfEachLabel) {
  Dataset data = random_data();
  const LinearSum squared(data, data.labels, SquaredLoss{});
  for (std::size_t i = 0; i < data.num_samples(); ++i)
    data.labels[i] = static_cast<double>(i % 5) / 2;
  const LinearSum f(data, data.labels, PoissonLoss{});
  EXPECT_TRUE(AnyFiniteSum(f).curvature()->is_local());
  EXPECT_FALSE(AnyFiniteSum(squared).curvature()->is_local());
  const Vector lipschitz = *f.sample_lipschitz(), plain = *squared.sample_lipschitz();
  for (std::size_t i = 0; i < data.num_samples(); ++i)
    EXPECT_NEAR(lipschitz[i], std::max(1.0, data.labels[i]) * plain[i], 1e-14);
  Vector got(5, 0), expected(5, 0);
  for (const SampleIndex i : some_samples()) {
    Vector product(5, 0);
    squared.add_curvature(kPoint, Samples(&i, 1), product);
    add_scaled(expected, std::max(1.0, data.labels[i]), product);
  }
  f.add_curvature(kPoint, some_samples(), got);
  for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(got[j], expected[j], 1e-11);
  const Smoothness smoothness = measure_smoothness(f, {});
  EXPECT_GT(smoothness.estimate.value_or(0), 0);
  EXPECT_FALSE(smoothness.bound) << "what is local bounds nothing";
}

TEST(LinearSum, RefusesLabelsAndWeightsThatDoNotFit) {
  Dataset data = random_data();
  EXPECT_THROW(LinearSum(data, {1, -1}, LogisticLoss{}), ContractError);
  data.weights.assign(700, 0);
  EXPECT_THROW(LinearSum(data, data.labels, LogisticLoss{}), ContractError);
  data.weights = {1};
  EXPECT_THROW(LinearSum(data, data.labels, LogisticLoss{}), ContractError);
}

}  // namespace
}  // namespace asynprox
