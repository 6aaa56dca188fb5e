// One example of each step size that a reader can check by hand.
#include <gtest/gtest.h>

#include <string>

#include "asynprox/step_sizes/all.h"

namespace asynprox {
namespace {

double eta(std::string_view spec, const StepContext& context) {
  return make_step_size(parse_spec(spec)).eta(context);
}

std::string error_of(std::string_view spec, const StepContext& context = {}) {
  try {
    eta(spec, context);
  } catch (const ContractError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ConstantStep, IsTheSameAtEveryStep) {
  EXPECT_EQ(eta("constant:0.1", {.k = 0}), 0.1);
  EXPECT_EQ(eta("constant:eta=0.1", {.k = 1000}), 0.1);
}

TEST(TInverseStep, IsHalvedAfterOnePeriodOverDecay) {
  EXPECT_EQ(eta("t-inverse:eta0=1,decay=0.5,period=100", {.k = 0}), 1);
  EXPECT_EQ(eta("t-inverse:eta0=1,decay=0.5,period=100", {.k = 200}), 0.5);
  EXPECT_EQ(eta("t-inverse:3", {.k = 2}), 1);
}

TEST(TInverseStaircaseStep, IsTheCurveWhereAPeriodBeginsAndLevelBetween) {
  const std::string parameters = "eta0=1,decay=0.5,period=100";
  for (std::int64_t k = 0; k < 1000; k += 50)
    EXPECT_EQ(eta("t-inverse-staircase:" + parameters, {.k = k}),
              eta("t-inverse:" + parameters, {.k = k / 100 * 100}));
  EXPECT_EQ(eta("t-inverse-staircase:" + parameters, {.k = 299}), 0.5);
}

TEST(InverseSqrtStep, IsHalvedAfterThreePeriods) {
  EXPECT_EQ(eta("inverse-sqrt:0.4", {.k = 0}), 0.4);
  EXPECT_EQ(eta("inverse-sqrt:0.4", {.k = 3}), 0.2);
  EXPECT_EQ(eta("inverse-sqrt:0.4,period=10", {.k = 30}), 0.2);
}

// L_N = (1 - 1/4) 2 + 10/4 = 4.
const StepContext kContext = {
    .lipschitz = 2, .lipschitz_sample_max = 10, .batch_size = 4, .num_samples = 100};

TEST(AutoStep, StartsAtOneOverTheSmoothnessOfABatch) { EXPECT_EQ(eta("auto", kContext), 0.25); }

TEST(AutoStep, IsDividedByOnePlusTheStaleness) {
  StepContext context = kContext;
  context.staleness = 3;
  EXPECT_EQ(eta("auto", context), 0.0625);
}

TEST(AutoStep, FallsToZeroInTheSecondHalfOfAKnownHorizon) {
  StepContext context = kContext;
  context.horizon = 100;
  for (const auto& [k, expected] :
       {std::pair{0, 0.25}, {50, 0.25}, {75, 0.125}, {99, 0.005}, {100, 0.0025}, {101, 0.0025}}) {
    context.k = k;
    EXPECT_NEAR(eta("auto", context), expected, 1e-15) << "k " << k;
  }
}

TEST(AutoStep, IsHalvedAfterFifteenEpochsWithoutAHorizon) {
  StepContext context = kContext;
  context.steps_per_epoch = 20;
  context.k = 300;
  EXPECT_EQ(eta("auto", context), 0.125);
}

TEST(AutoStep, StaysAtOneOverLForTheFullGradient) {
  StepContext context = kContext;
  context.full_gradient = true;
  context.horizon = 100;
  context.k = 99;
  EXPECT_EQ(eta("auto", context), 0.5);
}

TEST(AutoStep, TakesLForTheWorstSampleWhereThatIsNotKnown) {
  StepContext context = kContext;
  context.lipschitz_sample_max = 0;
  EXPECT_EQ(eta("auto", context), 0.5);
}

TEST(AutoStep, AsksForAStepWhereLIsNotKnown) {
  EXPECT_EQ(error_of("auto"),
            "the step auto needs a Lipschitz constant of the gradient of f, and this problem has "
            "none; choose another, for example constant:ETA");
}

// L = 2: without delay 1/L, with an oldest gradient of three steps a quarter of it, never above
// eta.
TEST(DelayAdaptiveStep, IsCutByTheOldestGradientOfTheStep) {
  StepContext context = kContext;
  context.lipschitz = 2;
  EXPECT_EQ(eta("delay-adaptive", context), 0.5);
  context.staleness_oldest = 3;
  EXPECT_EQ(eta("delay-adaptive", context), 0.125);
  EXPECT_EQ(eta("delay-adaptive:2", context), 0.25);
  EXPECT_EQ(eta("delay-adaptive:2,eta=0.1", context), 0.1);
}

TEST(StepSizes, RefuseWhatCannotBeAStep) {
  EXPECT_EQ(error_of("constant:0"), "constant: eta: expected > 0, got 0");
  EXPECT_EQ(error_of("constant"),
            "constant: 'eta' is missing (the step); write constant:eta=VALUE");
  EXPECT_EQ(error_of("t-inverse:1,decay=-1"), "t-inverse: decay: expected >= 0, got -1");
  EXPECT_EQ(error_of("inverse-sqrt:1,period=0"), "inverse-sqrt: period: expected > 0, got 0");
  EXPECT_EQ(error_of("auto:1"), "auto: takes no parameters, got '1'");
  EXPECT_EQ(error_of("constnt:1"),
            "no step size 'constnt' (did you mean 'constant'?); there are: auto, constant, "
            "t-inverse, t-inverse-staircase, inverse-sqrt, delay-adaptive, theory");
}

}  // namespace
}  // namespace asynprox
