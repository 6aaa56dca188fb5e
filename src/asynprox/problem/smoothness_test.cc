#include "asynprox/problem/smoothness.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "asynprox/base/random.h"
#include "asynprox/losses/all.h"
#include "asynprox/sums/any_finite_sum.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox {
namespace {

// Rows sqrt(n) s_j e_j: the Hessian bound of squared loss is diag(s_j^2).
AnyFiniteSum diagonal(const Vector& s) {
  CsrMatrix matrix;
  matrix.num_columns = s.size();
  for (std::size_t j = 0; j < s.size(); ++j) {
    matrix.columns.push_back(static_cast<Key>(j));
    matrix.values.push_back(s[j] * std::sqrt(static_cast<double>(s.size())));
    matrix.offsets.push_back(j + 1);
  }
  Dataset data;
  data.rows = Rows::narrowed(matrix);
  data.labels.assign(s.size(), 0);
  return LinearSum(data, data.labels, SquaredLoss{});
}

// The matrix with 2 on the diagonal and -1 beside it has eigenvalues 2 - 2 cos(pi i / (n + 1)).
TEST(LargestEigenvalue, IsThatOfTheSecondDifference) {
  for (const int n : {1, 2, 3, 10, 100}) {
    const double expected = 2 - 2 * std::cos(std::numbers::pi * n / (n + 1));
    EXPECT_NEAR(largest_eigenvalue(Vector(n, 2), Vector(n - 1, -1)), expected, 1e-12) << n;
  }
}

TEST(Smoothness, FindsTheLargestCurvature) {
  Vector s(50);
  for (std::size_t j = 0; j < s.size(); ++j) s[j] = 1 + static_cast<double>(j) / 50;
  const Smoothness smoothness = measure_smoothness(diagonal(s), {.rounds_max = 100});
  const double expected = s.back() * s.back();
  EXPECT_NEAR(*smoothness.estimate, expected, 1e-6 * expected);
  EXPECT_GE(*smoothness.bound, expected * (1 - 1e-12));
  EXPECT_NEAR(smoothness.sample_max, 50 * expected, 1e-9);
}

// A power iteration that starts at right angles to the largest direction would miss it.
TEST(Smoothness, BoundHoldsForManyRandomSpectra) {
  const Random random(9);
  std::uint64_t counter = 0;
  for (int trial = 0; trial < 200; ++trial) {
    Vector s(1 + random.index_at(counter++, 40));
    double largest = 0;
    for (double& s_j : s) {
      s_j = random.uniform_at(counter++);
      largest = std::max(largest, s_j * s_j);
    }
    for (const int rounds : {1, 5, 30}) {
      const auto smoothness = measure_smoothness(
          diagonal(s), {.rounds_max = rounds, .seed = static_cast<std::uint64_t>(trial)});
      ASSERT_GE(*smoothness.bound, largest * (1 - 1e-10)) << s.size() << " " << rounds;
      ASSERT_LE(*smoothness.estimate, largest * (1 + 1e-9) + 1e-300);
    }
  }
}

TEST(Smoothness, BoundIsCloseAfterManyRounds) {
  Vector s(400);
  for (std::size_t j = 0; j < s.size(); ++j) s[j] = 1 + static_cast<double>(j) / 400;
  const double expected = s.back() * s.back();
  const Smoothness smoothness = measure_smoothness(diagonal(s), {.rounds_max = 60});
  EXPECT_GE(*smoothness.bound, expected);
  EXPECT_LE(*smoothness.bound, 1.1 * expected);
  EXPECT_NE(smoothness.bound_reason.find("Lanczos"), std::string::npos);
}

// Some of the samples say nothing for sure about the rest.
TEST(Smoothness, OfSomeSamplesIsAnEstimateAndNoBound) {
  Vector s(400);
  for (std::size_t j = 0; j < s.size(); ++j) s[j] = 1 + static_cast<double>(j) / 400;
  const Smoothness all = measure_smoothness(diagonal(s), {.rounds_max = 60});
  const Smoothness some = measure_smoothness(diagonal(s), {.rounds_max = 60, .samples_max = 300});
  EXPECT_EQ(*some.bound, some.sample_mean);
  EXPECT_EQ(some.bound_reason, "the mean of the samples' L_i");
  EXPECT_LT(*all.bound, *some.bound);
}

// Knows L itself, and nothing of its samples.
struct KnownL {
  double L = 3;
  std::size_t dimension() const { return 1; }
  std::size_t num_samples() const { return 1; }
  double value(std::span<const double> x, Samples) const { return 0.5 * L * x[0] * x[0]; }
  void add_gradient(std::span<const double> x, Samples, std::span<const double>,
                    std::span<double> g) const {
    g[0] += L * x[0];
  }
  double lipschitz() const { return L; }
};

TEST(Smoothness, TakesAFiniteSumsOwnWord) {
  const Smoothness smoothness = measure_smoothness(KnownL{}, {});
  EXPECT_EQ(smoothness.estimate, 3);
  EXPECT_EQ(smoothness.bound, 3);
}

// Two eigenvalues are found in two rounds, and then there is nothing more to find.
TEST(Smoothness, BoundIsExactWhereLanczosRunsOutOfDirections) {
  Vector s(30, 1);
  s[7] = 2;
  const Smoothness smoothness = measure_smoothness(diagonal(s), {.rounds_max = 10});
  EXPECT_NEAR(*smoothness.bound, 4, 1e-7);
  EXPECT_GE(*smoothness.bound, 4);
}

TEST(Smoothness, OfDataWithoutNonzerosIsZero) {
  const Smoothness smoothness = measure_smoothness(diagonal({0, 0}), {});
  EXPECT_EQ(smoothness.estimate, 0);
  EXPECT_EQ(smoothness.bound, 0);
}

// Ten columns of large entries in 4 of 20,000 rows, as standardising makes of rare levels: a tenth
// of the samples, drawn at random, has none of them: they would make L 1 where it is 2,000.
TEST(Smoothness, OfSomeSamplesSeesRareColumns) {
  constexpr std::size_t rows = 20000, rare = 10;
  CsrMatrix matrix{.num_columns = rare + 1};
  for (std::size_t i = 0; i < rows; ++i) {
    for (Key j = 0; i % (rows / 4) == 1 && j < rare; ++j) {
      matrix.columns.push_back(j);
      matrix.values.push_back(1000);
    }
    matrix.columns.push_back(rare);
    matrix.values.push_back(1);
    matrix.offsets.push_back(matrix.columns.size());
  }
  Dataset data;
  data.rows = Rows::plain(matrix);
  data.labels.assign(rows, 0);
  const LinearSum f(data, data.labels, SquaredLoss{});
  const Smoothness smoothness =
      measure_smoothness(f, {.rounds_max = 10, .samples_max = 2000, .seed = 5});
  const double exact = rare * 1e6 * 4 / rows;  // and next to nothing for the last column
  EXPECT_GE(*smoothness.estimate, exact);
  EXPECT_LE(*smoothness.estimate, 1.05 * exact);
}

}  // namespace
}  // namespace asynprox
