#include "asynprox/sums/network.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/losses/all.h"
#include "asynprox/problem/smoothness.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/sums/finite_sum_laws_testing.h"

namespace asynprox {
namespace {

constexpr std::size_t kSamples = 40, kInputs = 5;

// Sparse rows with scales, weights and a centre; classes 0, 1, 2.
Dataset some_data() {
  const Random random(21);
  std::uint64_t counter = 0;
  CsrMatrix matrix;
  matrix.num_columns = kInputs;
  Dataset data;
  for (std::size_t i = 0; i < kSamples; ++i) {
    for (Key j = 0; j < kInputs; ++j) {
      if (random.uniform_at(counter++) < 0.4) continue;
      matrix.columns.push_back(j);
      matrix.values.push_back(2 * random.uniform_at(counter++) - 1);
    }
    matrix.offsets.push_back(matrix.columns.size());
    data.labels.push_back(static_cast<double>(random.index_at(counter++, 3)));
    data.weights.push_back(0.5 + random.uniform_at(counter++));
    data.row_scale.push_back(0.5 + random.uniform_at(counter++));
  }
  data.rows = Rows::narrowed(matrix);
  data.column_scale = {1, 2, 0.5, 3, 1};
  data.center = {0.1, -0.2, 0.3, 0, 0.05};
  return data;
}

std::vector<SampleIndex> all_samples() {
  std::vector<SampleIndex> samples(kSamples);
  std::iota(samples.begin(), samples.end(), SampleIndex{0});
  samples.push_back(3);  // samples may repeat
  return samples;
}

// The outputs by their definition, one number after the other.
Vector slow_outputs(const NetworkShape& shape, const Vector& x, const Dataset& data,
                    std::size_t i) {
  Vector a(shape.inputs, 0);
  for (const auto& [column, value] : data.rows.row(i)) a[column] = data.row_scale[i] * value;
  for (std::size_t j = 0; j < a.size(); ++j) a[j] = a[j] * data.column_scale[j] - data.center[j];
  std::size_t at = 0;
  for (std::size_t l = 0; l <= shape.hidden.size(); ++l) {
    const bool last = l == shape.hidden.size();
    Vector z(last ? shape.outputs : shape.hidden[l], 0);
    for (double& z_k : z) {
      for (const double a_j : a) z_k += x[at++] * a_j;
      z_k += x[at++];
      if (!last) z_k = shape.activation == Activation::relu ? std::max(z_k, 0.0) : std::tanh(z_k);
    }
    a = z;
  }
  return a;
}

std::vector<NetworkShape> shapes(std::size_t outputs) {
  std::vector<NetworkShape> shapes;
  for (const Activation activation : {Activation::relu, Activation::tanh})
    for (const std::vector<std::size_t>& hidden :
         {std::vector<std::size_t>{}, std::vector<std::size_t>{7}, std::vector<std::size_t>{4, 6}})
      shapes.push_back({kInputs, hidden, outputs, activation});
  return shapes;
}

TEST(Network, OutputsAreThoseOfItsLayers) {
  const Dataset data = some_data();
  for (const NetworkShape& shape : shapes(3)) {
    Vector x = shape.start(1, 9);
    for (std::size_t j = 0; j < x.size(); ++j) x[j] += 0.01 * static_cast<double>(j % 7);
    const Vector outputs = network_outputs(shape, x, data);
    for (std::size_t i = 0; i < kSamples; ++i) {
      const Vector expected = slow_outputs(shape, x, data, i);
      for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(outputs[i * 3 + c], expected[c], 1e-13);
    }
  }
}

TEST(Network, LossIsCrossEntropyOrSquared) {
  const Dataset data = some_data();
  const double total = std::accumulate(data.weights.begin(), data.weights.end(), 0.0);
  for (const bool classes : {true, false}) {
    const NetworkShape shape = {kInputs, {4}, classes ? 3U : 1U, Activation::tanh};
    const Network f(data, data.labels,
                    classes ? AnyLoss(MultinomialLoss{}) : AnyLoss(SquaredLoss{}), shape);
    const Vector x = f.start(2);
    for (SampleIndex i = 0; i < 10; ++i) {
      const Vector u = slow_outputs(shape, x, data, i);
      double sum = 0;
      for (const double u_c : u) sum += std::exp(u_c);
      const double expected = classes ? std::log(sum) - u[static_cast<std::size_t>(data.labels[i])]
                                      : std::pow(u[0] - data.labels[i], 2) / 2;
      EXPECT_NEAR(f.value(x, Samples(&i, 1)), data.weights[i] * kSamples / total * expected, 1e-13);
    }
  }
}

TEST(Network, ObeysTheLawsOfFiniteSums) {
  const Dataset data = some_data();
  for (const AnyLoss& loss :
       {AnyLoss(MultinomialLoss{}), AnyLoss(SquaredLoss{}), AnyLoss(HuberLoss{.delta = 0.8})})
    for (const NetworkShape& shape : shapes(loss.several_outputs() ? 3 : 1)) {
      const Network f(data, data.labels, loss, shape);
      Vector x = f.start(4);
      for (std::size_t j = 0; j < x.size(); ++j) x[j] += 0.01 * static_cast<double>(j % 5);
      expect_gradient_matches_differences(f, x, all_samples());
      expect_parts_fit_together(f, x, all_samples());
    }
}

TEST(Network, StaysFiniteForHugeOutputs) {
  const Dataset data = some_data();
  const Network f(data, data.labels, MultinomialLoss{}, {kInputs, {4}, 3});
  Vector x = f.start(4), g(f.dimension(), 0);
  scale(x, 1e3);
  EXPECT_TRUE(std::isfinite(f.value_and_gradient(x, all_samples(), g)));
  EXPECT_TRUE(all_finite(g));
}

// Signals of length 1, 10 or 1/10 come out with about the same length, and every layer is in on it.
TEST(NetworkShape, StartSuitsTheInputs) {
  for (const double length : {0.01, 1.0, 100.0}) {
    const NetworkShape shape = {50, {400, 400}, 400, Activation::relu};
    const Vector x = shape.start(length, 3);
    NetworkPass pass(shape, x);
    std::vector<Key> columns(50);
    std::iota(columns.begin(), columns.end(), Key{0});
    const Vector values(50, std::sqrt(length / 50));
    const std::span<const double> u = pass.forward({columns, values});
    const double gain = std::pow(length, -1.0 / 3);
    EXPECT_NEAR(pass.squared_signal(0), length * gain, 0.3 * length * gain);
    EXPECT_NEAR(dot(u, u), 1, 0.5);
  }
  const NetworkShape shape = {3, {4}, 2};
  EXPECT_EQ(shape.start(1, 5), shape.start(1, 5));
  EXPECT_NE(shape.start(1, 5), shape.start(1, 6));
}

// 2 inputs, 3 hidden units, 2 outputs: units are 0, 1, 2, with what goes out; output biases 3
// and 4.
TEST(NetworkShape, GroupsAreUnits) {
  const NetworkShape shape = {2, {3}, 2};
  EXPECT_EQ(shape.unit_groups(), (Vector{0, 0, 0, 1, 1, 1, 2, 2, 2,  //
                                         0, 1, 2, 3, 0, 1, 2, 4}));
  // Of two hidden layers the first has only what comes in.
  EXPECT_EQ((NetworkShape{1, {2, 1}, 1}.unit_groups()), (Vector{0, 0, 1, 1, 2, 2, 2, 2, 3}));
  EXPECT_EQ((NetworkShape{2, {}, 2}.unit_groups()), (Vector{0, 0, 0, 1, 1, 1}));
}

TEST(NetworkShape, CountsUnitsThatAreGone) {
  const NetworkShape shape = {2, {3}, 2};
  Vector x(shape.dimension(), 1);
  EXPECT_EQ(shape.zero_units(x), std::vector<std::size_t>{0});
  std::fill_n(x.begin() + 3, 3, 0.0);
  EXPECT_EQ(shape.zero_units(x), std::vector<std::size_t>{1});
  x[4] = 1;
  EXPECT_EQ(shape.zero_units(x), std::vector<std::size_t>{0});
}

// A unit whose group is zero gets no gradient, and leaves the outputs to the others.
TEST(Network, AUnitThatIsGoneStaysAway) {
  const Dataset data = some_data();
  for (const Activation activation : {Activation::relu, Activation::tanh}) {
    const Network f(data, data.labels, MultinomialLoss{}, {kInputs, {4}, 3, activation});
    const Vector groups = f.shape().unit_groups();
    Vector x = f.start(6);
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = groups[j] == 2 ? 0 : x[j];
    const Vector g = gradient_of(f, x, all_samples());
    for (std::size_t j = 0; j < x.size(); ++j) EXPECT_TRUE(groups[j] != 2 || g[j] == 0) << j;
  }
}

TEST(Network, TellsACurvatureForStepsButNoBound) {
  const Dataset data = some_data();
  const Network f(data, data.labels, SquaredLoss{}, {kInputs, {6}, 1, Activation::tanh});
  const Smoothness smoothness = measure_smoothness(f, {.rounds_max = 30});
  EXPECT_FALSE(smoothness.bound.has_value());
  ASSERT_TRUE(smoothness.estimate.has_value());
  EXPECT_GT(*smoothness.estimate, 0);
  EXPECT_LE(*smoothness.estimate, smoothness.sample_mean);
  // By differences of the gradient along one direction, by hand.
  Vector v(f.dimension(), 0), out(f.dimension(), 0), up = f.start(1), down = f.start(1);
  v[2] = 1;
  f.add_curvature(v, all_samples(), out);
  up[2] += 1e-5;
  down[2] -= 1e-5;
  const Vector above = gradient_of(f, up, all_samples()),
               below = gradient_of(f, down, all_samples());
  for (std::size_t j = 0; j < f.dimension(); ++j)
    EXPECT_NEAR(out[j], (above[j] - below[j]) / 2e-5, 1e-5);
}

TEST(Network, RefusesWhatDoesNotFit) {
  const Dataset data = some_data();
  EXPECT_THROW(Network(data, data.labels, MultinomialLoss{}, {4, {3}, 3}), ContractError);
  EXPECT_THROW(Network(data, data.labels, MultinomialLoss{}, {5, {3}, 2}), ContractError);
  EXPECT_THROW(Network(data, data.labels, MultinomialLoss{}, {5, {0}, 3}), ContractError);
  EXPECT_THROW(Network(data, data.labels, SquaredLoss{}, {5, {3}, 3}), ContractError);
  EXPECT_THROW(Network(data, data.labels, PoissonLoss{}, {5, {3}, 1}), ContractError);
  EXPECT_THROW(Network(data, {1, 2}, SquaredLoss{}, {5, {3}, 1}), ContractError);
  EXPECT_THROW(network_outputs({5, {3}, 1}, Vector(3), data), ContractError);
}

}  // namespace
}  // namespace asynprox
