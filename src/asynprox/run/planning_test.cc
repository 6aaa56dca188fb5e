#include "asynprox/run/planning.h"

#include <gtest/gtest.h>

#include <functional>

#include "asynprox/algorithm/methods/all.h"
#include "asynprox/base/errors.h"
#include "asynprox/data/dataset.h"
#include "asynprox/delays/all.h"
#include "asynprox/losses/all.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/run/check_plan.h"
#include "asynprox/run/json.h"
#include "asynprox/run/plan_batch.h"
#include "asynprox/run/plan_curvature.h"
#include "asynprox/run/plan_method.h"
#include "asynprox/run/plan_steps.h"
#include "asynprox/run/plan_workers.h"
#include "asynprox/sampling/all.h"
#include "asynprox/step_sizes/all.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox {
namespace {

Problem problem_of(const std::string& spec, const AnyLoss& loss = LogisticLoss{},
                   const AnyRegularizer& h = L1{.lambda = 1e-3}) {
  const Dataset data = read_dataset("generate:" + spec);
  return make_problem(LinearSum(data, data.labels, loss), h);
}

const Problem& narrow() {
  static const Problem problem = problem_of("sparse-logistic:n=600,d=20,nonzeros=5,seed=3");
  return problem;
}

const Problem& wide() {
  static const Problem problem = problem_of("sparse-logistic:n=600,d=50000,nonzeros=5,seed=3");
  return problem;
}

MethodPlan method_of(const AnyMethod& method, bool bold = false) {
  return {.method = method, .bold = bold};
}

TEST(PlanMethod, RemembersGradientsOfALinearModel) {
  const Chosen<MethodPlan> chosen = plan_method(narrow(), {});
  EXPECT_EQ(chosen.value.method.name(), AsynProxSaga::name);
  EXPECT_TRUE(chosen.value.bold);
  ASSERT_EQ(chosen.choices.size(), 1u);
  EXPECT_EQ(chosen.choices[0],
            "method asyn-prox-saga: a linear model, of which 600 numbers are "
            "remembered");
}

TEST(PlanMethod, TakesThePapersWhereWhatIsGivenIsAboutIt) {
  const auto name_of = [](const Options& options) {
    return std::string(plan_method(narrow(), options).value.method.name());
  };
  EXPECT_EQ(name_of({.step = ConstantStep{.value = 0.1}}), AsynProxSgd::name);
  EXPECT_EQ(name_of({.delays = ConstantDelay{.steps = 3}}), AsynProxSgd::name);
  EXPECT_EQ(name_of({.stop = {.epochs = 1}}), AsynProxSgd::name);
  EXPECT_EQ(name_of({.workers = 601}), AsynProxSgd::name);
}

TEST(PlanMethod, TakesTheOneThatIsGivenAndSaysNothing) {
  const Chosen<MethodPlan> chosen = plan_method(narrow(), {.method = Fista{}});
  EXPECT_EQ(chosen.value.method.name(), Fista::name);
  EXPECT_FALSE(chosen.value.bold);
  EXPECT_TRUE(chosen.choices.empty());
}

TEST(PlanRefinements, AreForAutomaticRuns) {
  const MethodPlan saga = method_of(AsynProxSaga{}, /*bold=*/true);
  const RefinementPlan automatic = plan_refinements(narrow(), {}, saga).value;
  EXPECT_TRUE(automatic.newton);
  EXPECT_TRUE(automatic.fallback);
  const RefinementPlan named = plan_refinements(narrow(), {.method = AsynProxSaga{}}, saga).value;
  EXPECT_FALSE(named.newton);
  EXPECT_FALSE(named.fallback);
  EXPECT_THROW(plan_refinements(narrow(), {.newton = true}, method_of(AsynProxSgd{})),
               ContractError);
  EXPECT_THROW(plan_refinements(narrow(), {.runtime = Runtime::simulated, .fallback = true}, saga),
               ContractError);
}

TEST(PlanStop, LeavesLimitsToTheCallerWhereThereIsAFallback) {
  const MethodPlan saga = method_of(AsynProxSaga{}, /*bold=*/true);
  const StoppingRules automatic = plan_stop({}, saga, {.fallback = true});
  EXPECT_EQ(automatic.tolerance, 1e-4);
  EXPECT_FALSE(automatic.epochs);
  EXPECT_EQ(plan_stop({}, saga, {}).epochs, 200);
  EXPECT_EQ(plan_stop({}, method_of(AsynProxSgd{}), {}).epochs, 50);
  EXPECT_FALSE(plan_stop({.stop = {.steps = 7}}, saga, {}).tolerance);
  EXPECT_THROW(plan_stop({.stop = {.epochs = -1}}, saga, {}), ContractError);
}

TEST(PlanWorkers, BoundsStalenessByWhatWorkersCause) {
  const MethodPlan sgd = method_of(AsynProxSgd{});
  const WorkerPlan eight = plan_workers(narrow(), {.workers = 8, .pushes_per_step = 1}, sgd).value;
  EXPECT_EQ(eight.slots, 8);
  EXPECT_EQ(eight.staleness_expected, 7);
  EXPECT_EQ(eight.staleness_max, 8);
  const Chosen<WorkerPlan> tight =
      plan_workers(narrow(), {.workers = 8, .pushes_per_step = 1, .staleness_max = 2}, sgd);
  EXPECT_EQ(tight.value.staleness_expected, 2);
  ASSERT_EQ(tight.warnings.size(), 1u);
  EXPECT_NE(tight.warnings[0].find("idle"), std::string::npos);
}

TEST(PlanWorkers, OfSynchronousMethodsHaveNoStaleness) {
  const MethodPlan sync = method_of(ProxSgd{});
  EXPECT_EQ(plan_workers(narrow(), {.workers = 4}, sync).value.staleness_max, 0);
  // Backup workers: a step does not wait for the slowest.
  EXPECT_EQ(
      plan_workers(narrow(), {.workers = 4, .pushes_per_step = 3}, sync).value.staleness_policy,
      StalenessPolicy::recompute);
  EXPECT_THROW(plan_workers(narrow(), {.workers = 4, .pushes_per_step = 5}, sync), ContractError);
  EXPECT_THROW(plan_workers(narrow(), {.workers = 4, .staleness_max = 1}, sync), ContractError);
}

TEST(PlanWorkers, FollowGivenDelays) {
  const Options options = {
      .workers = 2, .delays = ConstantDelay{.steps = 9}, .runtime = Runtime::serial};
  const WorkerPlan plan = plan_workers(narrow(), options, method_of(AsynProxSgd{})).value;
  EXPECT_EQ(plan.staleness_max, 9);
  EXPECT_EQ(plan.staleness_expected, 9);
}

TEST(PlanState, IsLazyWhereABatchTouchesLittle) {
  const MethodPlan sgd = method_of(AsynProxSgd{});
  const SampleCurvature curvature = {.smoothness = measure_smoothness_for(wide(), sgd, 1)};
  EXPECT_EQ(plan_state(wide(), {}, sgd, curvature, false), StateChoice::lazy);
  EXPECT_EQ(plan_state(wide(), {}, sgd, curvature, /*has_scales=*/true), StateChoice::dense);
  EXPECT_EQ(plan_state(wide(), {.state = StateChoice::dense}, sgd, curvature, false),
            StateChoice::dense);
  const SampleCurvature of_narrow = {.smoothness = measure_smoothness_for(narrow(), sgd, 1)};
  EXPECT_EQ(plan_state(narrow(), {}, sgd, of_narrow, false), StateChoice::dense);
  EXPECT_THROW(
      plan_state(narrow(), {.state = StateChoice::lazy}, method_of(Fista{}), of_narrow, false),
      ContractError);
}

TEST(PlanBatch, IsAMultipleOfThePushes) {
  const MethodPlan sgd = method_of(AsynProxSgd{});
  const WorkerPlan workers = {.workers = 3, .slots = 3, .pushes_per_step = 3};
  const SampleCurvature curvature = {.smoothness = measure_smoothness_for(narrow(), sgd, 1)};
  const Vector no_scales;
  const auto batch = [&](const Options& options, const MethodPlan& method) {
    return plan_batch(narrow(), options,
                      {.method = method,
                       .workers = workers,
                       .curvature = curvature,
                       .state = StateChoice::dense,
                       .scales = no_scales})
        .value.plan;
  };
  EXPECT_EQ(batch({}, sgd).size % 3, 0);
  EXPECT_EQ(batch({.batch_size = 12}, sgd).size, 12);
  EXPECT_THROW(batch({.batch_size = 13}, sgd), ContractError);
  EXPECT_EQ(batch({}, method_of(ProxGd{})).size, 600);
  EXPECT_EQ(batch({}, method_of(AsynProxSaga{})).sampling.name(), Reshuffle::name);
  EXPECT_EQ(batch({}, sgd).sampling.name(), Replacement::name);
  const BatchPlan grown = batch({}, method_of(AsynProxSgd{}, /*bold=*/true));
  EXPECT_EQ(grown.sampling.name(), Passes::name);
  EXPECT_EQ(grown.pushes_per_pass % 3, 0);
  EXPECT_EQ(grown.pushes_max, grown.pushes_per_pass);
}

TEST(PlanSteps, BeginWhereTheCallerSays) {
  EXPECT_EQ(make_start(narrow(), Start::zeros, 1), Vector(20, 0));
  const Vector uniform = make_start(narrow(), Start::uniform, 1);
  EXPECT_NEAR(norm(uniform), 1, 1e-15);
  EXPECT_EQ(make_start(narrow(), Start::given, 1, Vector(20, 2)), Vector(20, 2));
  EXPECT_THROW(make_start(narrow(), Start::given, 1), ContractError);
  EXPECT_THROW(make_start(narrow(), Start::given, 1, Vector(19, 2)), ContractError);
}

TEST(Planning, OfAProblemIsRefusedForAnother) {
  const Planned planned = make_plan(wide(), {.workers = 2});
  ASSERT_FALSE(planned.plan.hashes.support_weights.empty());
  EXPECT_NO_THROW(vectors_of(wide(), planned.plan));
  const Problem other = problem_of("sparse-logistic:n=600,d=50000,nonzeros=5,seed=4");
  EXPECT_THROW(vectors_of(other, planned.plan), DataError);
}

TEST(Planning, GivesTheSameVectorsFromThePlanAlone) {
  for (const Problem* problem : {&narrow(), &wide()}) {
    const Planned planned = make_plan(*problem, {.workers = 2});
    const Plan again = plan_from_json(plan_json(planned.plan));
    const PlanVectors vectors = vectors_of(*problem, again);
    EXPECT_EQ(vectors.scales, planned.vectors.scales);
    EXPECT_EQ(vectors.support_weights == nullptr, planned.vectors.support_weights == nullptr);
    if (vectors.support_weights) {
      EXPECT_EQ(*vectors.support_weights, *planned.vectors.support_weights);
    }
  }
}

TEST(CheckPlan, RefusesNumbersThatMakeNoSense) {
  const Plan good = make_plan(narrow(), {.workers = 2}).plan;
  EXPECT_NO_THROW(check_plan(narrow(), good));
  const std::vector<std::function<void(Plan&)>> damages = {
      [](Plan& plan) { plan.workers.workers = 0; },
      [](Plan& plan) { plan.workers.slots = 1'000'000'000; },
      [](Plan& plan) { plan.workers.workers = plan.workers.slots = 100'000'000; },
      [](Plan& plan) { plan.problem.dimension += 1; },
      [](Plan& plan) { plan.problem.regularizer = "zero"; },
      [](Plan& plan) { plan.method.method = ProxGd{}; },
      [](Plan& plan) { plan.start = Start::given; },
      [](Plan& plan) { plan.batch.size += 1; },
      [](Plan& plan) { plan.steps.context.steps_per_epoch = 1e-20; },
      [](Plan& plan) { plan.steps.context.steps_per_epoch = 1e300; },
      [](Plan& plan) { plan.workers.pushes_per_step = 0; },
      [](Plan& plan) { plan.workers.staleness_max = -1; },
      [](Plan& plan) { plan.batch.size = 0; },
      [](Plan& plan) { plan.batch.size = std::int64_t{1} << 62; },
      [](Plan& plan) { plan.batch.shares = {1}; },
      [](Plan& plan) { plan.batch.pushes_per_pass = -3; },
      [](Plan& plan) { plan.batch.pushes_max = 256; },
      [](Plan& plan) { plan.state = StateChoice::automatic; },
      [](Plan& plan) { plan.steps.context.num_samples = 7; },
      [](Plan& plan) { plan.steps.context.steps_per_epoch = 0; },
      [](Plan& plan) { plan.steps.reference_step = -1; },
      [](Plan& plan) { plan.evaluation.every = 0; },
      [](Plan& plan) { plan.evaluation.first = 0; },
      [](Plan& plan) { plan.stop = {}; },
      [](Plan& plan) { plan.stop.tolerance = -1; },
      [](Plan& plan) { plan.execution.pace = 0; },
      [](Plan& plan) { plan.execution.speeds = {1, 1, 1}; },
      [](Plan& plan) { plan.execution.absences = {{.worker = 9}}; },
      [](Plan& plan) { plan.execution.delays = ConstantDelay{.steps = 3}; },
  };
  for (std::size_t i = 0; i < damages.size(); ++i) {
    Plan plan = good;
    damages[i](plan);
    EXPECT_THROW(check_plan(narrow(), plan), DataError) << i;
  }
}

TEST(CheckPlan, RefusesPiecesOfAPassThatDoNotFit) {
  const Plan good = make_plan(narrow(), {.workers = 2, .stop = {.epochs = 1}}).plan;
  ASSERT_TRUE(good.grows());
  EXPECT_NO_THROW(check_plan(narrow(), good));
  const std::vector<std::function<void(Plan&)>> damages = {
      [](Plan& plan) { plan.batch.epochs_per_pass = 0; },
      [](Plan& plan) { plan.batch.pushes_per_pass += 1; },
      [](Plan& plan) { plan.batch.pushes_per_pass = 1'000'000'000; },
      [](Plan& plan) { plan.batch.pushes_max = 0; },
      [](Plan& plan) { plan.batch.sampling = Passes{.pieces = 3}; },
      [](Plan& plan) { plan.batch.sampling = Replacement{}; },
  };
  for (std::size_t i = 0; i < damages.size(); ++i) {
    Plan plan = good;
    damages[i](plan);
    EXPECT_THROW(check_plan(narrow(), plan), DataError) << i;
  }
}

TEST(CheckPlan, RefusesAPlanOfAnotherShape) {
  const Plan plan = make_plan(narrow(), {.method = Fista{}}).plan;
  EXPECT_THROW(check_plan(wide(), plan), DataError);
}

}  // namespace
}  // namespace asynprox
