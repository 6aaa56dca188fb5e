// Exact answers, known from elsewhere to nine digits and more, found by the front door.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "asynprox/data/labels.h"
#include "asynprox/methods.h"
#include "asynprox/problem/problem.h"
#include "asynprox/regularizers/share.h"
#include "asynprox/solve.h"
#include "asynprox/sums/linear_sum.h"

#include "tests/real_data_testing.h"
#include "tests/sparse_logistic_oracles_testing.h"

namespace asynprox {
namespace {

Dataset normalized(Dataset data) {
  normalize_rows(data);
  return data;
}

struct NnPca {
  std::string name, file;
  std::optional<std::size_t> dimension;
  double optimum;
  double lipschitz;
  double start;                         // the value at 1 / sqrt(d)
  std::array<double, 4> suboptimality;  // after 1, 5, 6 and 10 proximal gradient steps
};

const std::vector<NnPca>& nn_pca_oracles() {
  static const std::vector<NnPca> oracles = {
      {"a9a",
       "a9a.xz",
       {},
       -0.226412877699213,
       0.452825755398427,
       -0.056378484610375,
       {9.8417e-2, 7.1154e-4, 1.8081e-4, 7.6255e-7}},
      {"mnist_784",
       "mnist.xz",
       784,
       -0.203789914019832,
       0.407579828039663,
       -0.076358094837967,
       {6.1447e-2, 3.9121e-4, 1.0257e-4, 5.2747e-7}},
      {"mnist_780",
       "mnist.xz",
       780,
       -0.203789914019832,
       0.407579828039663,
       -0.0767496748,
       {6.1103e-2, 3.8846e-4, 1.0188e-4, 5.2478e-7}},
  };
  return oracles;
}

class NnPcaOracle : public testing::TestWithParam<std::size_t> {};

TEST_P(NnPcaOracle, ProximalGradientPassesThroughTheKnownValues) {
  ASYNPROX_NEEDS_REAL_DATA();
  const NnPca& oracle = nn_pca_oracles()[GetParam()];
  const Dataset data =
      normalized(read_dataset(*data_folder() + "/" + oracle.file, {.dimension = oracle.dimension}));
  const Result result =
      solve(data, PcaLoss{}, NonNegBall{},
            {.method = ProxGd{}, .workers = 3, .stop = {.steps = 60}, .trace_every = 1});
  EXPECT_NEAR(1 / result.plan.steps.reference_step, oracle.lipschitz, 1e-9);
  EXPECT_NEAR(result.trace[0].objective, oracle.start, 1e-10);
  const std::array<std::size_t, 4> steps = {1, 5, 6, 10};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double expected = oracle.suboptimality[i];
    // The table has five digits.
    EXPECT_NEAR(result.trace[steps[i]].objective - oracle.optimum, expected, 6e-5 * expected)
        << "after " << steps[i] << " steps";
  }
  EXPECT_NEAR(result.objective, oracle.optimum, 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Data, NnPcaOracle, testing::Range<std::size_t>(0, 3),
                         [](const auto& which) { return nn_pca_oracles()[which.param].name; });

// Columns centred after the rows are scaled: negative entries, so several local minima.
struct CentredNnPca {
  std::string name, file;
  std::optional<std::size_t> dimension;
  double lipschitz;
  double optimum;  // the best known
};

const std::vector<CentredNnPca>& centred_nn_pca_oracles() {
  static const std::vector<CentredNnPca> oracles = {
      {"a9a", "a9a.xz", {}, 0.0672755, -0.021142696258234},
      {"mnist_784", "mnist.xz", 784, 0.0562447, -0.016326495894732},
      {"mnist_780", "mnist.xz", 780, 0.0562447, -0.016326495894732},
  };
  return oracles;
}

class CentredNnPcaOracle : public testing::TestWithParam<std::size_t> {};

TEST_P(CentredNnPcaOracle, IsReachedByProximalGradientFromTheUsualStart) {
  ASYNPROX_NEEDS_REAL_DATA();
  const CentredNnPca& oracle = centred_nn_pca_oracles()[GetParam()];
  Dataset data =
      normalized(read_dataset(*data_folder() + "/" + oracle.file, {.dimension = oracle.dimension}));
  center_columns(data);
  const Result result = solve(data, PcaLoss{}, NonNegBall{},
                              {.method = ProxGd{}, .workers = 3, .stop = {.steps = 400}});
  EXPECT_NEAR(1 / result.plan.steps.reference_step, oracle.lipschitz, 6e-8);
  EXPECT_NEAR(result.objective, oracle.optimum, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Data, CentredNnPcaOracle, testing::Range<std::size_t>(0, 3),
                         [](const auto& which) {
                           return centred_nn_pca_oracles()[which.param].name;
                         });

// sigma^2 at the start and at the optimum, as known to four digits.
TEST(NnPcaVariance, MatchesTheKnownValues) {
  ASYNPROX_NEEDS_REAL_DATA();
  const Dataset data = normalized(real_data("a9a.xz"));
  const AnyFiniteSum f = LinearSum(data, {}, PcaLoss{});
  EXPECT_NEAR(gradient_variance(f, Vector(123, 1 / std::sqrt(123.0))), 0.0624, 5e-5);
  const Result result =
      solve(data, PcaLoss{}, NonNegBall{}, {.method = ProxGd{}, .stop = {.steps = 60}});
  EXPECT_NEAR(gradient_variance(f, result.x), 0.2478, 5e-5);
}

TEST(SparseLogisticShare, ATenthOfTheLargestUsefulStrengthIsTheKnownOne) {
  ASYNPROX_NEEDS_REAL_DATA();
  const Dataset data = real_data("a9a.xz");
  Vector gradient;
  const Spec spec = resolve_share(parse_spec("l1:0.1max"), nullptr, [&] {
    const AnyFiniteSum f = LinearSum(data, sign_labels(data.labels, {}).signs, LogisticLoss{});
    value_and_gradient(f, Vector(data.dimension(), 0), gradient);
    return gradient;
  });
  EXPECT_NEAR(parse_number(spec.settings[0].value, "lambda"), 876.05 / 32561, 1e-12);
}

class SparseLogisticOracle : public testing::TestWithParam<std::size_t> {};

TEST_P(SparseLogisticOracle, IsReachedByFista) {
  ASYNPROX_NEEDS_REAL_DATA();
  const SparseLogistic& oracle = sparse_logistic_oracles()[GetParam()];
  const Result result = solve(oracle_data(oracle), LogisticLoss{}, L1{.lambda = oracle.lambda},
                              {.method = Fista{},
                               .workers = 2,
                               .stop = {.steps = 20000, .tolerance = 1e-13},
                               .trace_every = 100});
  EXPECT_NEAR(result.objective, oracle.optimum, 1e-8);
  EXPECT_GE(result.nonzeros, oracle.nonzeros_min);
  EXPECT_LE(result.nonzeros, oracle.nonzeros_max);
}

INSTANTIATE_TEST_SUITE_P(Data, SparseLogisticOracle, testing::Range<std::size_t>(0, 6),
                         [](const auto& which) {
                           return sparse_logistic_oracles()[which.param].name;
                         });

// The matrix of the tiny problems, four rows of five.
Dataset tiny_data() {
  const double rows[4][5] = {
      {1, -2, 3, -4, 5}, {2, -1, 0, -1, 3}, {-1, 0, 4, -3, 2}, {-1, -1, -1, 1, 3}};
  CsrMatrix matrix;
  matrix.num_columns = 5;
  for (const auto& row : rows) {
    for (Key j = 0; j < 5; ++j) {
      if (row[j] == 0) continue;
      matrix.columns.push_back(j);
      matrix.values.push_back(row[j]);
    }
    matrix.offsets.push_back(matrix.columns.size());
  }
  Dataset data;
  data.rows = Rows::narrowed(matrix);
  data.labels = {1, 2, 3, 4};
  return data;
}

// |Ax - b|^2 / 2 + 2.9 |x|_1: four times the mean form with lambda = 2.9 / 4.
TEST(TinyOracle, LassoToTwelveDigits) {
  const Result result = solve(tiny_data(), SquaredLoss{}, L1{.lambda = 2.9 / 4},
                              {.method = Fista{}, .workers = 1, .stop = {.steps = 20000}});
  EXPECT_NEAR(4 * result.objective, 7.275772789115647, 1e-12);
  const Vector expected = {-0.3877278911564627, 0, 0, 0.02174149659863943, 0.6168435374149660};
  for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(result.x[j], expected[j], 1e-12);
  EXPECT_EQ(result.nonzeros, 3);
}

// sum log(1 + exp(-(Ax - b))) + 0.1 |x|_1 has an offset b, so it is no linear model of ours: a
// finite sum of its own.
struct ShiftedLogistic {
  Dataset data = tiny_data();

  std::size_t dimension() const { return 5; }
  std::size_t num_samples() const { return 4; }
  double margin(std::span<const double> x, SampleIndex i) const {
    double u = 0;
    data.rows.dots(Samples(&i, 1), x, {&u, 1});
    return u - data.labels[i];
  }
  double value(std::span<const double> x, Samples samples) const {
    double sum = 0;
    for (const SampleIndex i : samples) sum += LogisticLoss{}.value(margin(x, i), 1);
    return sum;
  }
  void add_gradient(std::span<const double> x, Samples samples, std::span<const double> weights,
                    std::span<double> g) const {
    for (std::size_t s = 0; s < samples.size(); ++s) {
      const double c =
          (weights.empty() ? 1 : weights[s]) * LogisticLoss{}.derivative(margin(x, samples[s]), 1);
      data.rows.scatter(samples.subspan(s, 1), {&c, 1}, g);
    }
  }
  Vector sample_lipschitz() const {
    Vector lipschitz = data.rows.squared_norms();
    scale(lipschitz, LogisticLoss::curvature);
    return lipschitz;
  }
  bool convex() const { return true; }
};

TEST(TinyOracle, ShiftedLogisticToTwelveDigits) {
  const Result result = solve(ShiftedLogistic{}, L1{.lambda = 0.1 / 4},
                              {.method = Fista{}, .workers = 2, .stop = {.steps = 20000}});
  EXPECT_NEAR(4 * result.objective, 0.348981312046582, 1e-12);
  const Vector expected = {0, 0, 0.2114635341704963, 0, 2.845881348733116};
  for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(result.x[j], expected[j], 1e-9);
}

}  // namespace
}  // namespace asynprox
