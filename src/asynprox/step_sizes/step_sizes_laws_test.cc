// What every step size must satisfy. One that joins the list is tested without a change here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "asynprox/base/family_testing.h"
#include "asynprox/step_sizes/all.h"

namespace asynprox {
namespace {

// The member with what must be given set to 0.3.
template <class Step>
Step example() {
  Spec spec{std::string(Step::name), {}};
  for (const MemberDescription& member : describe(Family<Step>{}))
    for (const ParameterDescription& p : member.parameters)
      if (p.default_value.empty()) spec.settings.push_back({p.name, "0.3"});
  return make_member<Step>(spec, nullptr);
}

std::vector<StepContext> contexts() {
  const StepContext usual{.steps_per_epoch = 32,
                          .lipschitz = 2.5,
                          .lipschitz_sample_max = 40,
                          .batch_size = 16,
                          .num_samples = 512,
                          .staleness_max = 3,
                          .lipschitz_bound = 2.75,
                          .gap = 0.5,
                          .variance = 1.5};
  StepContext short_run = usual, long_run = usual, full = usual, lone = usual;
  short_run.horizon = 1;
  long_run.horizon = 1'000'000;
  full.full_gradient = true;
  lone.batch_size = 1;
  return {usual, short_run, long_run, full, lone};
}

const std::vector<std::int64_t> kSteps = {0,      1,      2,       31,        1000,
                                          499999, 500001, 999'999, 1'000'000, 1'000'000'000'000};

template <class Step>
class StepSizeLaws : public ::testing::Test {};

TYPED_TEST_SUITE(StepSizeLaws, TypesOf<AllStepSizes>::type, MemberName);

TYPED_TEST(StepSizeLaws, IsPositiveAndFinite) {
  const auto step = example<TypeParam>();
  for (StepContext context : contexts())
    for (context.staleness = 0; context.staleness < 10000;
         context.staleness = 3 * context.staleness + 1)
      for (const std::int64_t k : kSteps) {
        context.k = k;
        EXPECT_GT(step.eta(context), 0) << "k " << k;
        EXPECT_TRUE(std::isfinite(step.eta(context))) << "k " << k;
      }
}

TYPED_TEST(StepSizeLaws, NeverGrowsWithTime) {
  const auto step = example<TypeParam>();
  for (StepContext context : contexts()) {
    double before = step.eta(context);
    for (const std::int64_t k : kSteps) {
      context.k = k;
      EXPECT_LE(step.eta(context), before) << "k " << k;
      before = step.eta(context);
    }
  }
}

TYPED_TEST(StepSizeLaws, NeverGrowsWithStaleness) {
  const auto step = example<TypeParam>();
  for (StepContext context : contexts())
    for (const std::int64_t k : kSteps) {
      context.k = k;
      context.staleness = 0;
      double before = step.eta(context);
      for (; context.staleness < 100; ++context.staleness) {
        EXPECT_LE(step.eta(context), before) << "k " << k;
        before = step.eta(context);
      }
    }
}

TYPED_TEST(StepSizeLaws, IsAFunctionOfItsContextAlone) {
  const auto step = example<TypeParam>();
  for (const StepContext& context : contexts()) {
    const AnyStepSize any = step;
    EXPECT_EQ(any.name(), TypeParam::name);
    EXPECT_EQ(any.eta(context), step.eta(context));
    EXPECT_EQ(any.eta(context), any.eta(context));
  }
}

TYPED_TEST(StepSizeLaws, RefusesAnUnknownParameter) {
  EXPECT_THROW(make_step_size({std::string(TypeParam::name), {{"no-such-key", "1"}}}),
               ContractError);
}

}  // namespace
}  // namespace asynprox
