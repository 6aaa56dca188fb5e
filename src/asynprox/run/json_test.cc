#include "asynprox/run/json.h"

#include <gtest/gtest.h>

#include <limits>

#include "asynprox/algorithm/methods/all.h"
#include "asynprox/base/errors.h"
#include "asynprox/delays/all.h"
#include "asynprox/run/plan_fields.h"
#include "asynprox/sampling/all.h"
#include "asynprox/simulator/compute_times/all.h"
#include "asynprox/step_sizes/all.h"

namespace asynprox {
namespace {

// Numbers that need all their digits, words, lists and members of families.
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
  EXPECT_EQ(
      error_of(text, "\"slots\": 6", "\"slots\": 99999999999"),
      "plan.workers.slots: expected a number from -2147483648 to 2147483647, got 99999999999");
  EXPECT_EQ(error_of(text, "\"slots\"", "\"slot\""), "plan.workers.slots is missing");
  EXPECT_EQ(error_of(text, "\"pin\": true,", "\"pin\": true, \"pins\": 1,"),
            "plan.execution: expected no such field, got \"pins\"");
  EXPECT_EQ(error_of(text, "\"lazy\"", "\"lasy\""),
            "plan.state: expected auto or dense or lazy, got \"lasy\"");
  EXPECT_TRUE(error_of(text, "\"uniform:T=9\"", "\"uniform:T=-9\"")
                  .starts_with("plan.execution.delays: uniform: T: expected "));
  EXPECT_EQ(error_of(text, "\"pace\": 81920.5", "\"pace\": []"),
            "plan.execution.pace: expected a number, got []");
  EXPECT_EQ(error_of(text, "{", "[").substr(0, 20), "plan: expected JSON:");
}

template <class Part>
std::size_t fields_visited(const Part& part) {
  std::size_t count = 0;
  visit_fields(part, [&](const char*, const auto&) { ++count; });
  return count;
}

// A new member of a part does not compile here until it is listed in plan_fields.h too: without
// that a replay would silently use its default.
TEST(RunJson, ListsEveryField) {
  const Plan plan = unusual_plan();
  [[maybe_unused]] const auto& [p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15,
                                p16, p17] = plan;
  EXPECT_EQ(fields_visited(plan), 17u);
  [[maybe_unused]] const auto& [m1, m2, m3] = plan.method;
  EXPECT_EQ(fields_visited(plan.method), 3u);
  [[maybe_unused]] const auto& [i1, i2, i3, i4] = plan.problem;
  EXPECT_EQ(fields_visited(plan.problem), 4u);
  [[maybe_unused]] const auto& [w1, w2, w3, w4, w5, w6] = plan.workers;
  EXPECT_EQ(fields_visited(plan.workers), 6u);
  [[maybe_unused]] const auto& [r1, r2] = plan.refinements;
  EXPECT_EQ(fields_visited(plan.refinements), 2u);
  [[maybe_unused]] const auto& [s1, s2, s3, s4, s5] = plan.curvature.plain;
  EXPECT_EQ(fields_visited(plan.curvature.plain), 5u);
  [[maybe_unused]] const auto& [b1, b2, b3, b4, b5, b6] = plan.batch;
  EXPECT_EQ(fields_visited(plan.batch), 6u);
  [[maybe_unused]] const auto& [t1, t2, t3] = plan.steps;
  EXPECT_EQ(fields_visited(plan.steps), 3u);
  [[maybe_unused]] const auto& [c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15,
                                c16] = plan.steps.context;
  EXPECT_EQ(fields_visited(plan.steps.context), 16u);
  [[maybe_unused]] const auto& [o1, o2, o3, o4, o5, o6] = *plan.steps.corollary;
  EXPECT_EQ(fields_visited(*plan.steps.corollary), 6u);
  [[maybe_unused]] const auto& [e1, e2] = plan.evaluation;
  EXPECT_EQ(fields_visited(plan.evaluation), 2u);
  [[maybe_unused]] const auto& [l1, l2, l3, l4] = plan.stop;
  EXPECT_EQ(fields_visited(plan.stop), 4u);
  [[maybe_unused]] const auto& [x1, x2, x3, x4, x5, x6, x7, x8] = plan.execution;
  EXPECT_EQ(fields_visited(plan.execution), 8u);
  [[maybe_unused]] const auto& [k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13] =
      plan.execution.cluster;
  EXPECT_EQ(fields_visited(plan.execution.cluster), 13u);
  [[maybe_unused]] const auto& [h1, h2, h3, h4] = plan.hashes;
  EXPECT_EQ(fields_visited(plan.hashes), 4u);
  const ProblemSpec problem;
  [[maybe_unused]] const auto& [q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13] = problem;
  EXPECT_EQ(fields_visited(problem), 13u);
  [[maybe_unused]] const auto& [d1, d2, d3, d4, d5, d6, d7] = problem.data;
  EXPECT_EQ(fields_visited(problem.data), 7u);
}

TEST(RunJson, GivesTheProblemBack) {
  ProblemSpec problem = {.data = {.path = "a \"b\".csv",
                                  .dimension = 7,
                                  .zero_based = true,
                                  .ratings = true,
                                  .labels = "l",
                                  .label_column = "y",
                                  .header = "no"},
                         .positive_label = "yes",
                         .loss = "huber:delta=1.5",
                         .model = "factors:rank=3",
                         .regularizer = "l1:0.1",
                         .normalize = "rows",
                         .standardize = "columns",
                         .center = true,
                         .intercept = true,
                         .weights = "w.txt",
                         .class_weight = "balanced",
                         .holdout = 0.1 + 0.2,
                         .start = "model.json"};
  const ProblemSpec again = problem_from_json(problem_json(problem));
  EXPECT_EQ(problem_json(again), problem_json(problem));
  EXPECT_EQ(again.data.path, problem.data.path);
  EXPECT_EQ(again.data.dimension, problem.data.dimension);
  EXPECT_EQ(again.holdout, problem.holdout);
  EXPECT_TRUE(again.intercept);
  EXPECT_EQ(problem_json(problem_from_json(problem_json({}))), problem_json({}));
  EXPECT_THROW(problem_from_json("{}"), DataError);
}

TEST(RunJson, RefusesWhatIsNestedTooDeeply) {
  EXPECT_THROW(plan_from_json(std::string(100'000, '[')), DataError);
}

}  // namespace
}  // namespace asynprox
