// A finite sum that knows its gradients and nothing else: no value, no Lipschitz constant.
#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/methods.h"
#include "asynprox/problem/problem.h"
#include "asynprox/report/run_record.h"
#include "asynprox/solve.h"
#include "asynprox/step_sizes.h"

namespace asynprox {
namespace {

// F(x; i) = |x - p_i|^2 s / 2 for points p_i around (1, -2): its minimum is their mean.
struct Gradients {
  double curvature = 1;
  std::vector<Vector> points = around();

  static std::vector<Vector> around() {
    const Random random(3);
    std::vector<Vector> points;
    for (std::uint64_t i = 0; i < 400; ++i)
      points.push_back({0.5 + random.uniform_at(2 * i), -2.5 + random.uniform_at(2 * i + 1)});
    return points;
  }

  std::size_t dimension() const { return 2; }
  std::size_t num_samples() const { return points.size(); }
  void add_gradient(std::span<const double> x, Samples samples, std::span<const double> weights,
                    std::span<double> g) const {
    for (std::size_t s = 0; s < samples.size(); ++s)
      for (std::size_t j = 0; j < 2; ++j)
        g[j] += (weights.empty() ? 1 : weights[s]) * curvature * (x[j] - points[samples[s]][j]);
  }

  Vector mean() const {
    Vector sum(2, 0);
    for (const Vector& point : points)
      add_scaled(sum, 1 / static_cast<double>(points.size()), point);
    return sum;
  }
};
static_assert(FiniteSum<Gradients> && !HasValue<Gradients>);

// The same with the value.
struct WithValue : Gradients {
  double value(std::span<const double> x, Samples samples) const {
    double sum = 0;
    for (const SampleIndex i : samples)
      sum += curvature / 2 * (std::pow(x[0] - points[i][0], 2) + std::pow(x[1] - points[i][1], 2));
    return sum;
  }
};

TEST(GradientOnly, HasNoValueToAskFor) {
  const AnyFiniteSum f = Gradients{};
  EXPECT_FALSE(f.has_value());
  EXPECT_THROW(static_cast<void>(f.value(Vector{0, 0}, all_samples(1))), BugError);
}

// Without a step, a batch size or a Lipschitz constant, whatever the scale of f.
TEST(GradientOnly, FindsTheMinimumAndReportsTheGradientMapping) {
  for (const double curvature : {1e-3, 1.0, 1e4}) {
    const Gradients f{.curvature = curvature};
    for (const AnyMethod& method : {AnyMethod(AsynProxSgd{}), AnyMethod(AsynProxSvrg{})}) {
      SCOPED_TRACE(testing::Message() << method.name() << ", curvature " << curvature);
      const Result result =
          solve(f, Zero{}, {.method = method, .workers = 2, .stop = {.epochs = 30}});
      EXPECT_FALSE(result.has_objective);
      EXPECT_TRUE(std::isnan(result.objective));
      EXPECT_EQ(result.duality_gap, std::nullopt);
      EXPECT_FALSE(result.plan.bold() || result.plan.refinements.newton ||
                   result.plan.refinements.fallback);
      for (std::size_t j = 0; j < 2; ++j) EXPECT_NEAR(result.x[j], f.mean()[j], 0.05);
      EXPECT_LT(result.gradient_mapping, 0.05 * result.trace.front().gradient_mapping);
    }
  }
}

TEST(GradientOnly, EndsWhereTheGradientMappingIsSmallAtTwoEvaluations) {
  const Gradients f;
  const Result result = solve(f, L1{.lambda = 0.1},
                              {.method = ProxGd{},
                               .workers = 1,
                               .stop = {.steps = 500, .tolerance = 1e-6},
                               .trace_every = 5});
  EXPECT_EQ(result.stop_reason, StopReason::stationary);
  EXPECT_LT(result.steps, 500);
  const double first = result.trace.front().gradient_mapping;
  const std::size_t last = result.trace.size() - 1;
  EXPECT_LE(result.trace[last].gradient_mapping, 1e-6 * first);
  EXPECT_LE(result.trace[last - 1].gradient_mapping, 1e-6 * first);
  EXPECT_GT(result.trace[last - 2].gradient_mapping, 1e-6 * first);
  for (std::size_t j = 0; j < 2; ++j)
    EXPECT_NEAR(result.x[j], f.mean()[j] - std::copysign(0.1, f.mean()[j]), 1e-5);
}

TEST(GradientOnly, SaysWhatWasReachedAtALimit) {
  const Result result = solve(Gradients{}, Zero{}, {.workers = 1, .stop = {.epochs = 2}});
  EXPECT_EQ(result.stop_reason, StopReason::epoch_limit);
  EXPECT_NE(result.stop_detail.find("(gradient mapping: "), std::string::npos)
      << result.stop_detail;
  EXPECT_EQ(result.stop_detail.find("objective"), std::string::npos) << result.stop_detail;
}

TEST(GradientOnly, StepsThatAreGivenAreThoseOfTheSameSumWithItsValue) {
  const Options options = {.step = ConstantStep{.value = 0.1},
                           .workers = 1,
                           .batch_size = 10,
                           .stop = {.epochs = 3},
                           .runtime = Runtime::serial};
  EXPECT_EQ(solve(Gradients{}, L1{.lambda = 0.1}, options).x,
            solve(WithValue{}, L1{.lambda = 0.1}, options).x);
}

TEST(GradientOnly, IsRecordedWithoutAnObjective) {
  RunRecord record;
  record.result = solve(Gradients{}, Zero{}, {.workers = 1, .stop = {.epochs = 2}});
  EXPECT_NE(run_json(record).find("\"objective\": null,"), std::string::npos);
  EXPECT_EQ(summary(record, {}).find("objective"), std::string::npos);
  EXPECT_NE(summary(record, {}).find("gradient mapping"), std::string::npos);
  EXPECT_EQ(trace_csv(record.result.trace).find("nan"), std::string::npos);
}

// Steps and batches are chosen for an f that has a value and no Lipschitz constant too.
TEST(UnknownLipschitzConstant, IsEstimatedForEveryMethod) {
  const Gradients minimum;
  int methods = 0;
  for_each_member(AllMethods{}, [&]<class M>(std::type_identity<M>) {
    if (!AnyMethod(M{}).obstacle(make_problem(WithValue{}, Zero{})).empty()) return;
    SCOPED_TRACE(M::name);
    const Result result =
        solve(WithValue{}, Zero{}, {.method = M{}, .workers = 2, .stop = {.epochs = 30}});
    EXPECT_NEAR(result.plan.curvature.plain.estimate.value(), 2, 0.05);
    EXPECT_EQ(result.plan.curvature.plain.bound, std::nullopt);
    EXPECT_FALSE(result.plan.choices.empty());
    for (std::size_t j = 0; j < 2; ++j) EXPECT_NEAR(result.x[j], minimum.mean()[j], 0.05);
    ++methods;
  });
  EXPECT_GE(methods, 5);
}

}  // namespace
}  // namespace asynprox
