#include "asynprox/run/json.h"

#include <gtest/gtest.h>

#include <limits>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

// No field has its default, and numbers need all their digits.
Plan unusual_plan() {
  Plan plan;
  plan.method = {.method = AsynProxMomentum{.weight = 0.1 + 0.2},
                 .step = ConstantStep{.value = 1 / 3.0},
                 .bold = true};
  plan.workers = {.workers = 3,
                  .slots = 6,
                  .pushes_per_step = 2,
                  .staleness_max = 1'000'000'000'000,
                  .staleness_policy = StalenessPolicy::recompute,
                  .staleness_expected = 7};
  plan.refinements = {.newton = true, .fallback = true};
  plan.curvature.plain = {.estimate = 1e-300,
                          .bound = std::numeric_limits<double>::infinity(),
                          .bound_reason = "a \"reason\"\n",
                          .sample_mean = 0.7,
                          .sample_max = 5e-324};
  plan.state = StateChoice::lazy;
  plan.batch.size = 12;
  plan.batch.shares = {1, 2, 9};
  plan.batch.sampling = Passes{.pieces = 8, .copies = 4};
  plan.batch.pushes_per_pass = 8;
  plan.batch.pushes_max = 4;
  plan.batch.epochs_per_pass = 1.1;
  plan.steps.context.horizon = 99;
  plan.steps.context.gap = 0.3;
  plan.steps.corollary = Corollary{.terms = {.gap = 2}, .gap_reason = "given", .step = 0.1};
  plan.steps.reference_step = 0.123456789012345678;
  plan.evaluation = {.every = 17, .first = 0.125};
  plan.stop = {.steps = 5, .epochs = 0.5, .seconds = 1e9, .tolerance = 1e-9};
  plan.execution.runtime = Runtime::simulated;
  plan.execution.pin = true;
  plan.execution.pace = 81920.5;
  plan.execution.speeds = {1, 0.25};
  plan.execution.absences = {{.worker = 1, .after_pushes = 4, .seconds = 0.0003}};
  plan.execution.delays = UniformDelay{.steps_max = 9};
  plan.execution.cluster.compute = ExponentialTime{.rate = 77};
  plan.execution.cluster.outages = {{.worker = 2, .from = 0.5}};
  plan.execution.cluster.faults.loss = 0.01;
  plan.execution.cluster.fused = false;
  plan.execution.steps_outside_lock = true;
  plan.start = Start::given;
  plan.seed = std::numeric_limits<std::uint64_t>::max();
  plan.hashes = {.scales = "00", .sample_lipschitz = "11", .support_weights = "22", .start = "33"};
  plan.choices = {"a choice"};
  plan.warnings = {"a warning", "another"};
  return plan;
}

std::string error_of(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  try {
    plan_from_json(text);
  } catch (const DataError& error) {
    return error.what();
  }
  return "no error";
}

TEST(RunJson, GivesThePlanBackToTheBit) {
  for (const Plan& plan : {Plan{}, unusual_plan()}) {
    const std::string text = plan_json(plan);
    EXPECT_EQ(plan_json(plan_from_json(text)), text);
  }
  const Plan plan = unusual_plan(), again = plan_from_json(plan_json(plan));
  EXPECT_EQ(again.curvature.plain.sample_max, plan.curvature.plain.sample_max);
  EXPECT_EQ(again.curvature.plain.bound, plan.curvature.plain.bound);
  EXPECT_EQ(again.curvature.plain.bound_reason, plan.curvature.plain.bound_reason);
  EXPECT_EQ(again.steps.reference_step, plan.steps.reference_step);
  EXPECT_EQ(again.method.step.eta({}), 1 / 3.0);
  EXPECT_EQ(again.seed, plan.seed);
  EXPECT_EQ(again.execution.cluster.outages.front().until, std::numeric_limits<double>::infinity());
  EXPECT_EQ(again.batch.shares, plan.batch.shares);
  EXPECT_EQ(again.hashes, plan.hashes);
}

TEST(RunJson, NamesTheFieldThatIsWrong) {
  const std::string text = plan_json(unusual_plan());
  EXPECT_EQ(error_of(text, "\"version\": 1", "\"version\": 2"), "plan.version: expected 1, got 2");
  EXPECT_EQ(error_of(text, "\"slots\": 6", "\"slots\": 6.5"),
            "plan.workers.slots: expected a whole number, got 6.5");
  EXPECT_EQ(error_of(text, "\"slots\": 6", "\"slots\": 99999999999"),
            "plan.workers.slots: expected a number that can be counted with, got 99999999999");
  EXPECT_EQ(error_of(text, "\"slots\"", "\"slot\""), "plan.workers.slots is missing");
  EXPECT_EQ(error_of(text, "\"pin\": true,", "\"pin\": true, \"pins\": 1,"),
            "plan.execution: expected only the fields of a plan, got \"pins\"");
  EXPECT_EQ(error_of(text, "\"lazy\"", "\"lasy\""),
            "plan.state: expected one of 3 known words, got \"lasy\"");
  EXPECT_EQ(error_of(text, "\"uniform:steps_max=9\"", "\"uniform:steps_max=-9\""),
            "plan.execution.delays: uniform: steps_max: expected >= 0, got -9");
  EXPECT_EQ(error_of(text, "\"pace\": 81920.5", "\"pace\": []"),
            "plan.execution.pace: expected a number, got []");
  EXPECT_EQ(error_of(text, "{", "[").substr(0, 20), "plan: expected JSON:");
}

TEST(RunJson, RefusesWhatIsNestedTooDeeply) {
  EXPECT_THROW(plan_from_json(std::string(100'000, '[')), DataError);
}

}  // namespace
}  // namespace asynprox
