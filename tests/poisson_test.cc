// Runs of a loss without a curvature: steps that need no tuning, and an end that is told where they
// are too long.
#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/methods.h"
#include "asynprox/solve.h"
#include "asynprox/step_sizes.h"

namespace asynprox {
namespace {

// Knuth's: how many uniforms can be multiplied before exp(-mean) is reached.
double poisson_count(double mean, const Random& random) {
  double product = 1, count = -1;
  for (std::uint64_t draw = 0; product > std::exp(-mean); ++draw, ++count)
    product *= random.uniform_at(draw);
  return count;
}

// Counts with mean exp(offset + z'x), where x has two of each sign; the last feature is 1.
Dataset counts(double offset) {
  const Random random(21);
  CsrMatrix matrix;
  matrix.num_columns = 11;
  Dataset data{.name = "counts"};
  std::uint64_t draw = 0;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    double u = offset;
    for (Key j = 0; j < 11; ++j) {
      const double z = j == 10 ? 1 : 4 * random.uniform_at(draw++) - 2;
      if (j < 4) u += (j % 2 == 0 ? 0.4 : -0.4) * z;
      matrix.columns.push_back(j);
      matrix.values.push_back(z);
    }
    matrix.offsets.push_back(matrix.columns.size());
    data.labels.push_back(poisson_count(std::exp(u), random.stream(i + 1)));
  }
  data.rows = Rows::narrowed(matrix);
  return data;
}

// Rare events, some, and many.
TEST(Poisson, NeedsNoStepFromTheUser) {
  for (const double offset : {-2.0, 0.0, 3.0}) {
    const Dataset data = counts(offset);
    const AnyRegularizer h = L1{.lambda = 1e-3};
    const double start = solve(data, PoissonLoss{}, h, {.stop = {.steps = 0}}).objective;
    const Result exact =
        solve(data, PoissonLoss{}, h, {.method = Fista{}, .stop = {.steps = 2000}});
    EXPECT_LE(exact.gradient_mapping, 1e-8) << offset;
    for (const AnyMethod& method : std::vector<AnyMethod>{AsynProxSgd{}, ProxSgd{}, ProxGd{}}) {
      const Result result =
          solve(data, PoissonLoss{}, h, {.method = method, .workers = 2, .stop = {.epochs = 50}});
      EXPECT_LE(result.objective - exact.objective, 0.01 * (start - exact.objective))
          << offset << " " << method.name();
      EXPECT_GE(result.objective, exact.objective - 1e-9 * std::abs(exact.objective));
    }
    EXPECT_EQ(exact.theory.lipschitz, std::nullopt) << "what is local bounds nothing";
    // The four coefficients of the data, and its offset.
    for (std::size_t j = 0; j < 11; ++j)
      EXPECT_NEAR(exact.x[j], j == 10 ? offset : j >= 4 ? 0 : j % 2 == 0 ? 0.4 : -0.4, 0.15);
  }
}

TEST(Poisson, EndsAsDivergedWithAFiniteModelWhereStepsAreTooLong) {
  const Dataset data = counts(0);
  for (const AnyMethod& method : std::vector<AnyMethod>{AsynProxSgd{}, ProxGd{}, Fista{}}) {
    const Result result =
        solve(data, PoissonLoss{}, Zero{},
              {.method = method, .step = ConstantStep{.value = 1000}, .stop = {.epochs = 30}});
    EXPECT_EQ(result.stop_reason, StopReason::diverged) << method.name();
    EXPECT_TRUE(all_finite(result.x));
    EXPECT_TRUE(std::isfinite(result.objective) || result.objective == HUGE_VAL);
  }
}

TEST(Poisson, RefusesCountsBelowZero) {
  Dataset data = counts(0);
  data.name = "counts.svm";
  data.labels[7] = -1;
  try {
    solve(data, PoissonLoss{}, Zero{}, {.stop = {.epochs = 1}});
    FAIL() << "no error";
  } catch (const DataError& error) {
    EXPECT_STREQ(error.what(),
                 "counts.svm: labels: sample 8: expected at least 0 for the loss poisson, got -1");
  }
}

}  // namespace
}  // namespace asynprox
