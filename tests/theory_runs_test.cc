// What the paper's theory says of whole runs, where it holds, and where it does not.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/base/errors.h"
#include "asynprox/delays.h"
#include "asynprox/methods.h"
#include "asynprox/problem/problem.h"
#include "asynprox/run/theory.h"
#include "asynprox/solve.h"
#include "asynprox/step_sizes.h"

#include "tests/generated_data_testing.h"
#include "tests/real_data_testing.h"

namespace asynprox {
namespace {

TEST(TheoryStep, MeetsBothConditionsWhateverKIs) {
  for (const std::int64_t steps : {1, 100, 3000})
    for (const std::int64_t T : {0, 3}) {
      const Result result = solve(generated(), LogisticLoss{}, L1{.lambda = 1e-3},
                                  {.method = AsynProxSgd{},
                                   .step = TheoryStep{},
                                   .workers = 2,
                                   .staleness_max = T,
                                   .stop = {.steps = steps}});
      EXPECT_EQ(result.theory.conditions_met, true);
      const Corollary& corollary = *result.theory.corollary;
      // log 2 at zero, and logistic loss is not negative.
      EXPECT_NEAR(corollary.terms.gap, std::log(2), 1e-12);
      EXPECT_EQ(corollary.terms.staleness_max, T);
      EXPECT_EQ(corollary.steps_enough, static_cast<double>(steps) >= corollary.steps_least);
      EXPECT_LE(corollary.step, corollary_step_max(corollary.terms));
      EXPECT_TRUE(result.theory.ergodic_bound->measured);
    }
}

TEST(TheoryStep, FollowsTheCorollaryWhereKIsLargeEnough) {
  const Result result = solve(generated(), LogisticLoss{}, L1{.lambda = 1e-3},
                              {.step = TheoryStep{.gap = 1e-3, .sigma2 = 2},
                               .workers = 1,
                               .batch_size = 1,
                               .staleness_max = 0,
                               .stop = {.steps = 1000},
                               .runtime = Runtime::serial});
  const Corollary& corollary = *result.theory.corollary;
  EXPECT_TRUE(corollary.steps_enough);
  EXPECT_EQ(corollary.gap_reason, "given");
  EXPECT_EQ(corollary.variance_reason, "given");
  const double L = *result.theory.lipschitz;
  EXPECT_DOUBLE_EQ(corollary.step, std::sqrt(1e-3 / (2 * 1000 * L * 2)));
}

TEST(TheoryStep, AsksForTheGapWhereNoneIsKnown) {
  const Options options = {.step = TheoryStep{}, .stop = {.steps = 10}};
  EXPECT_THROW(solve(generated(), PcaLoss{}, L1{.lambda = 1e-3}, options), ContractError);
  Options given = options;
  given.step = TheoryStep{.gap = 1};
  const Result result = solve(generated(), PcaLoss{}, L1{.lambda = 1e-3}, given);
  EXPECT_EQ(result.theory.corollary->gap_reason, "given");
  EXPECT_NE(result.theory.corollary->variance_reason.find("x_0"), std::string::npos);
  const Result ball = solve(generated(), PcaLoss{}, L2Ball{}, options);
  EXPECT_NE(ball.theory.corollary->gap_reason.find("|x| <= r"), std::string::npos);
}

TEST(TheoryStep, IsTheLongestOfTheCorollaryWhereKIsNotKnown) {
  const Result result = solve(generated(), LogisticLoss{}, L1{.lambda = 1e-3},
                              {.step = TheoryStep{}, .workers = 1, .stop = {.tolerance = 0.1}});
  EXPECT_DOUBLE_EQ(result.theory.corollary->step,
                   corollary_step_max(result.theory.corollary->terms));
  EXPECT_FALSE(result.theory.corollary->steps_enough);
  EXPECT_FALSE(result.theory.ergodic_bound);
}

TEST(Theory, KnowsWhatARunLeavesUnchecked) {
  const auto assumptions = [](const Options& options) {
    const Result result = solve(generated(), LogisticLoss{}, L1{.lambda = 1e-3}, options);
    return fmt::format("{}", fmt::join(result.theory.assumptions, "\n"));
  };
  const StoppingRules stop = {.steps = 5};
  const AnyStepSize constant = ConstantStep{.value = 0.01};
  const std::string threads = assumptions({.step = DelayAdaptiveStep{}, .stop = stop});
  EXPECT_NE(threads.find("but they look at the delays"), std::string::npos);
  EXPECT_NE(threads.find("not checked, they come from timing"), std::string::npos);
  const std::string given = assumptions({.step = constant,
                                         .delays = ConstantDelay{.steps = 3},
                                         .stop = stop,
                                         .runtime = Runtime::serial});
  EXPECT_EQ(given.find("but they look at the delays"), std::string::npos);
  EXPECT_NE(given.find("yes, they are given, or drawn apart from the samples"), std::string::npos);
}

// Two samples, F = x^2/2 + x and F = x^2/2 - x, up to a constant: squared loss of labels -1 and +1.
Dataset two_samples() {
  Dataset data;
  data.rows =
      Rows::narrowed({.num_columns = 1, .offsets = {0, 1, 2}, .columns = {0, 0}, .values = {1, 1}});
  data.labels = {-1, 1};
  return data;
}

struct Counterexample {
  double own_step = 0;   // the mean of |P|^2 at eta
  double reference = 0;  // |P|^2 at 1 / L, averaged over the last half
  ErgodicBound bound;
};

// h = 0.1 |x|, N = 1, T = 0, from 0.01: Psi(x_0) - Psi* = 0.00105, sigma^2 = 1, L = 1.
Counterexample counterexample(std::int64_t K) {
  const Result result = solve(two_samples(), SquaredLoss{}, L1{.lambda = 0.1},
                              {.method = AsynProxSgd{},
                               .step = TheoryStep{.gap = 0.00105, .sigma2 = 1},
                               .workers = 1,
                               .batch_size = 1,
                               .staleness_max = 0,
                               .stop = {.steps = K},
                               .trace_every = 1,
                               .runtime = Runtime::serial,
                               .x0 = Vector{0.01}});
  EXPECT_EQ(result.theory.conditions_met, true);
  EXPECT_TRUE(result.theory.corollary->steps_enough);
  Counterexample found;
  found.bound = *result.theory.ergodic_bound;
  found.own_step = *found.bound.measured;
  for (std::int64_t k = K / 2; k < K; ++k)
    found.reference +=
        std::pow(result.trace[k].gradient_mapping, 2) / static_cast<double>(K - K / 2);
  return found;
}

// The printed bound goes to zero with K, and what it bounds does not: the proof drops a term.
TEST(ErgodicBoundAsPrinted, FailsOnTwoSamples) {
  const Counterexample few = counterexample(4000), more = counterexample(40000),
                       many = counterexample(400000);
  EXPECT_NEAR(few.own_step, 1.02e-2, 5e-4) << "the way from x_0, where it is 1.21e-2, counts";
  EXPECT_NEAR(more.own_step, 9.7e-3, 3e-4);
  EXPECT_NEAR(many.own_step, 9.7e-3, 3e-4);
  // The corollary's form of it is 32 sqrt(2 gap L sigma^2 / (K N)) = 2.3e-3 at K = 4e5.
  EXPECT_NEAR(32 * std::sqrt(2 * 0.00105 / 400000), 2.3e-3, 5e-5);
  EXPECT_LT(many.bound.printed, 2.3e-3);
  EXPECT_GT(many.own_step, 4 * many.bound.printed);
  for (const Counterexample& run : {few, more, many}) EXPECT_LT(run.own_step, run.bound.corrected);
  // At a fixed step the gradient mapping does fall: about as 1 / K.
  EXPECT_LT(more.reference, 0.2 * few.reference);
  EXPECT_LT(many.reference, 0.2 * more.reference);
  EXPECT_LT(many.reference, 3e-7);
}

// The mean of |P|^2 at the run's own step over the second half of the run, and over some seeds.
double own_step_under_momentum(double weight) {
  constexpr std::int64_t K = 100'000;
  double sum = 0;
  int terms = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Options options = {.method = AsynProxMomentum{.weight = weight},
                       .step = TheoryStep{.gap = 0.00105, .sigma2 = 1},
                       .workers = 1,
                       .batch_size = 1,
                       .staleness_max = 0,
                       .stop = {.steps = K},
                       .trace_every = 1,
                       .runtime = Runtime::serial,
                       .x0 = Vector{0.01}};
    options.seed = seed;
    const Result result = solve(two_samples(), SquaredLoss{}, L1{.lambda = 0.1}, options);
    for (std::int64_t k = K / 2; k < K; ++k, ++terms)
      sum += std::pow(result.trace[k].gradient_mapping_own, 2);
  }
  return sum / terms;
}

// 0 stands for K^-1/2. A mean over more batches has less noise, down to what soft-thresholding
// forgives; at a fixed weight nothing is gained.
TEST(ErgodicBoundAsPrinted, IsRepairedByMomentumOnlyAsItsWeightGoesToZero) {
  const double shrinking = own_step_under_momentum(0), fixed = own_step_under_momentum(0.1);
  RecordProperty("shrinking", fmt::format("{:.2e}", shrinking));
  RecordProperty("fixed", fmt::format("{:.2e}", fixed));
  EXPECT_LT(shrinking, 5e-4);
  EXPECT_NEAR(fixed, 9.2e-3, 2e-4);
}

Dataset a9a() {
  Dataset data = real_data("a9a.xz");
  normalize_rows(data);
  return data;
}

constexpr double kOptimum = -0.226412877699213;
constexpr double kLipschitz = 0.452825755398427;

TEST(TheoryOnA9a, HasTheKnownGapVarianceAndLeastK) {
  ASYNPROX_NEEDS_REAL_DATA();
  const Result result = solve(a9a(), PcaLoss{}, NonNegBall{},
                              {.step = TheoryStep{},
                               .workers = 1,
                               .batch_size = 8192,
                               .staleness_max = 0,
                               .stop = {.steps = 1}});
  const Corollary& corollary = *result.theory.corollary;
  EXPECT_NEAR(corollary.terms.variance, 0.0624, 5e-5);
  // Psi* >= -L / 2 is the optimum itself here, but for how safe L is.
  const double slack = (*result.theory.lipschitz - kLipschitz) / 2;
  EXPECT_GE(slack, 0);
  EXPECT_NEAR(corollary.terms.gap, 0.17003 + slack, 5e-6);

  // With sigma^2 at the optimum, which is larger, and the exact L:
  CorollaryTerms terms = {
      .gap = 0.17003, .variance = 0.2478, .lipschitz = kLipschitz, .batch_size = 8192};
  EXPECT_NEAR(corollary_steps_least(terms), 3.3e5, 5e3);
  terms.staleness_max = 1;
  EXPECT_NEAR(corollary_steps_least(terms), 5.2e6, 5e4);
  terms.staleness_max = 8;
  EXPECT_NEAR(corollary_steps_least(terms), 2.1e9, 5e7);
}

// Steps of 1 / (16 L (T + 1)^2) under a constant delay of T until Psi - Psi* <= 1e-3.
TEST(TheoryOnA9a, TakesTheKnownNumbersOfSteps) {
  ASYNPROX_NEEDS_REAL_DATA();
  const auto reached = [](std::int64_t T, std::int64_t steps) {
    const double eta =
        corollary_step_max({.lipschitz = kLipschitz, .staleness_max = static_cast<double>(T)});
    const Result result = solve(a9a(), PcaLoss{}, NonNegBall{},
                                {.step = ConstantStep{.value = eta},
                                 .workers = 1,
                                 .batch_size = 8192,
                                 .delays = ConstantDelay{.steps = T},
                                 .stop = {.steps = steps},
                                 .trace_every = steps,
                                 .runtime = Runtime::serial});
    return result.objective - kOptimum <= 1e-3;
  };
  EXPECT_FALSE(reached(0, 54));
  EXPECT_TRUE(reached(0, 55));
  EXPECT_FALSE(reached(1, 212));
  EXPECT_TRUE(reached(1, 213));
  // Seeds differ by a step or two here.
  EXPECT_FALSE(reached(8, 4263));
  EXPECT_TRUE(reached(8, 4267));
}

}  // namespace
}  // namespace asynprox
