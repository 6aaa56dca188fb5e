// Laws of whole runs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "asynprox/base/errors.h"
#include "asynprox/finite_sum.h"
#include "asynprox/methods.h"
#include "asynprox/solve.h"
#include "asynprox/step_sizes.h"

#include "tests/generated_data_testing.h"
#include "tests/real_data_testing.h"

namespace asynprox {
namespace {

TEST(Run, IsAFunctionOfItsSeed) {
  const Options options = {.workers = 3, .stop = {.epochs = 5}, .runtime = Runtime::serial};
  Options other = options;
  other.seed = 2;
  const Result first = solve(generated(), LogisticLoss{}, L1{.lambda = 1e-3}, options);
  const Result again = solve(generated(), LogisticLoss{}, L1{.lambda = 1e-3}, options);
  EXPECT_EQ(first.x, again.x);
  EXPECT_NE(first.x, solve(generated(), LogisticLoss{}, L1{.lambda = 1e-3}, other).x);
}

TEST(Run, GivesTheSameModelDenseOrLazy) {
  for (const AnyRegularizer& h :
       {AnyRegularizer(L1{.lambda = 1e-3}), AnyRegularizer(SquaredL2{.lambda = 1e-2}),
        AnyRegularizer(ElasticNet{.l1 = 1e-3, .l2 = 1e-2}), AnyRegularizer(NonNeg{})}) {
    Options options = {.method = AsynProxSgd{},
                       .workers = 4,
                       .batch_size = 8,
                       .pushes_per_step = 2,
                       .stop = {.epochs = 3},
                       .runtime = Runtime::serial};
    options.state = StateChoice::dense;
    const Result dense = solve(generated(), LogisticLoss{}, h, options);
    options.state = StateChoice::lazy;
    const Result lazy = solve(generated(), LogisticLoss{}, h, options);
    EXPECT_EQ(dense.steps, lazy.steps);
    for (std::size_t j = 0; j < dense.x.size(); ++j)
      ASSERT_NEAR(dense.x[j], lazy.x[j], 1e-12) << h.name() << " " << j;
  }
}

TEST(Run, ChoosesTheLazyModelForWideSparseDataOnly) {
  const Dataset wide = read_dataset("generate:sparse-logistic:n=500,d=20000,nonzeros=5");
  const Options options = {.workers = 2, .stop = {.steps = 5}};
  EXPECT_EQ(solve(wide, LogisticLoss{}, L1{.lambda = 1e-3}, options).plan.state, StateChoice::lazy);
  EXPECT_EQ(solve(wide, LogisticLoss{}, L2Ball{}, options).plan.state, StateChoice::dense);
  EXPECT_EQ(solve(generated(), LogisticLoss{}, L1{.lambda = 1e-3}, options).plan.state,
            StateChoice::dense);
}

// Synchronous with W workers uses W fresh gradients a step; nothing is ever stale.
TEST(Run, SynchronousStepsHaveNoStaleness) {
  for (const AnyMethod& method : std::vector<AnyMethod>{ProxSgd{}, ProxGd{}, Fista{}}) {
    const Result result = solve(generated(), LogisticLoss{}, L1{.lambda = 1e-3},
                                {.method = method, .workers = 5, .stop = {.epochs = 4}});
    EXPECT_EQ(result.staleness.max, 0) << method.name();
    EXPECT_EQ(result.plan.workers.staleness_max, 0);
    EXPECT_EQ(result.ledger.applied, 5 * result.steps);
  }
}

TEST(Run, FullGradientsDoNotDependOnTheNumberOfWorkers) {
  for (const AnyMethod& method : std::vector<AnyMethod>{ProxGd{}, Fista{}}) {
    const auto objective = [&](int workers) {
      return solve(generated(), LogisticLoss{}, L1{.lambda = 1e-3},
                   {.method = method, .workers = workers, .stop = {.steps = 30}})
          .objective;
    };
    const double one = objective(1);
    for (const int workers : {2, 3, 8}) EXPECT_NEAR(objective(workers), one, 1e-13);
  }
}

TEST(Run, CountsEveryGradient) {
  const Result result = solve(generated(), LogisticLoss{}, L1{.lambda = 1e-3},
                              {.method = AsynProxSgd{},
                               .workers = 4,
                               .batch_size = 20,
                               .pushes_per_step = 2,
                               .stop = {.steps = 101}});
  EXPECT_EQ(result.steps, 101);
  EXPECT_EQ(result.sample_gradients, 101 * 20);
  EXPECT_EQ(result.computed, result.ledger.received * 10);
  EXPECT_DOUBLE_EQ(result.epochs, 101 * 20 / 2000.0);
  EXPECT_TRUE(result.ledger.balanced());
}

// W workers take turns: the mean staleness is (W - 1) / m.
TEST(Run, MeanStalenessIsTheOthersTurns) {
  for (const auto& [workers, pushes] : {std::pair{4, 4}, {8, 2}, {5, 1}, {3, 3}}) {
    const Result result = solve(generated(), LogisticLoss{}, Zero{},
                                {.workers = workers,
                                 .batch_size = 4 * pushes,
                                 .pushes_per_step = pushes,
                                 .staleness_max = 50,
                                 .stop = {.steps = 2000},
                                 .runtime = Runtime::serial,
                                 .fallback = false});
    EXPECT_NEAR(result.staleness.mean(), (workers - 1.0) / pushes, 0.01 * workers / pushes)
        << workers << " workers, " << pushes << " pushes per step";
  }
}

TEST(Run, ZeroStepsAreLegal) {
  const Result result =
      solve(generated(), LogisticLoss{}, L1{.lambda = 1e-3}, {.stop = {.steps = 0}});
  EXPECT_EQ(result.steps, 0);
  EXPECT_EQ(result.stop_reason, StopReason::step_limit);
  EXPECT_NEAR(result.objective, std::log(2), 1e-14);
}

TEST(Run, DivergesCleanlyWithAStepThatIsFarTooLarge) {
  const Result result = solve(generated(), SquaredLoss{}, Zero{},
                              {.step = ConstantStep{.value = 1e6}, .stop = {.epochs = 50}});
  EXPECT_EQ(result.stop_reason, StopReason::diverged);
  EXPECT_TRUE(all_finite(result.x));
  EXPECT_TRUE(result.ledger.balanced());
}

TEST(Run, EndsWhenItIsInterruptedAndKeepsWhatItLearnt) {
  std::atomic<bool> interrupt = false;
  Options options = {.workers = 2, .stop = {.epochs = 1000}, .newton = false};
  options.interrupt = &interrupt;
  options.on_evaluation = [&](const Evaluation& now) { interrupt = now.steps > 0; };
  const Result result = solve(generated(), LogisticLoss{}, L1{.lambda = 1e-3}, options);
  EXPECT_EQ(result.stop_reason, StopReason::interrupted);
  EXPECT_LT(result.objective, std::log(2));
  EXPECT_LT(result.epochs, 3);
}

TEST(Run, EndsWhenItsTimeIsUp) {
  const Result result = solve(generated(), LogisticLoss{}, L1{.lambda = 1e-3},
                              {.workers = 2, .stop = {.seconds = 0.05}, .fallback = false});
  EXPECT_EQ(result.stop_reason, StopReason::time_limit);
  EXPECT_GT(result.steps, 0);
}

TEST(Run, StartsWhereItIsToldAndWhereTheRegulariserIsFinite) {
  Options options = {.stop = {.steps = 0}};
  options.x0 = Vector(300, 3);
  EXPECT_EQ(solve(generated(), LogisticLoss{}, Zero{}, options).x, Vector(300, 3));
  const Result inside = solve(generated(), LogisticLoss{}, L2Ball{.radius = 1}, options);
  EXPECT_NEAR(norm(inside.x), 1, 1e-12);
  EXPECT_TRUE(std::isfinite(inside.objective));
}

TEST(Run, RefusesChoicesThatDoNotFit) {
  const auto error_of = [](const Options& options, const AnyLoss& loss = LogisticLoss{}) {
    try {
      solve(generated(), loss, Zero{}, options);
    } catch (const ContractError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(error_of({.workers = 3, .batch_size = 10}),
            "batch-size: expected a multiple of the 3 pushes per step, got 10; the nearest is 9");
  EXPECT_NE(error_of({.method = Fista{}}, SigmoidLoss{}).find("convex"), std::string::npos);
  EXPECT_NE(error_of({.method = ProxSgd{}, .staleness_max = 3}).find("no staleness"),
            std::string::npos);
  EXPECT_NE(error_of({.method = ProxGd{}, .batch_size = 10}).find("all 2000 samples"),
            std::string::npos);
  EXPECT_NE(error_of({.workers = -1}).find("workers"), std::string::npos);
  EXPECT_NE(error_of({.trace_every = 0}).find("trace-every"), std::string::npos);
}

TEST(Run, WarnsOfWorkersThatTheBoundKeepsIdle) {
  const Result result = solve(generated(), LogisticLoss{}, Zero{},
                              {.workers = 8,
                               .batch_size = 4,
                               .pushes_per_step = 2,
                               .staleness_max = 1,
                               .stop = {.steps = 10}});
  ASSERT_EQ(result.plan.warnings.size(), 1u);
  EXPECT_NE(result.plan.warnings[0].find("idle"), std::string::npos);
}

// Nothing but what a finite sum must have: a step is chosen for it by its gradients, or given.
struct Parabolas {
  std::size_t dimension() const { return 1; }
  std::size_t num_samples() const { return 2; }
  double value(std::span<const double> x, Samples samples) const {
    double sum = 0;
    for (const SampleIndex i : samples) sum += 0.5 * (x[0] - i) * (x[0] - i);
    return sum;
  }
  void add_gradient(std::span<const double> x, Samples samples, std::span<const double> weights,
                    std::span<double> g) const {
    for (std::size_t s = 0; s < samples.size(); ++s)
      g[0] += (weights.empty() ? 1 : weights[s]) * (x[0] - samples[s]);
  }
};

TEST(Run, SolvesAFiniteSumOfAUsersOwn) {
  const Result chosen =
      solve(Parabolas{}, Zero{}, {.method = ProxGd{}, .workers = 2, .stop = {.steps = 60}});
  EXPECT_NEAR(chosen.x[0], 0.5, 1e-9);
  const Result result = solve(Parabolas{}, L1{.lambda = 0.1},
                              {.method = ProxGd{},
                               .step = ConstantStep{.value = 0.5},
                               .workers = 2,
                               .stop = {.steps = 60}});
  EXPECT_NEAR(result.x[0], 0.4, 1e-12);
  EXPECT_EQ(result.theory.lipschitz, std::nullopt);
  EXPECT_EQ(result.theory.conditions_met, std::nullopt);
}

// Two samples x^2/2 + x and x^2/2 - x, h = 0.1 |x|, one sample a step. The mean of |P|^2 at the
// run's own step stays near 0.01 however small that is; at the fixed step 1/L it falls as eta^2.
TEST(Run, TakesTheGradientMappingAtAFixedStep) {
  Dataset data;
  data.rows =
      Rows::narrowed({.num_columns = 1, .offsets = {0, 1, 2}, .columns = {0, 0}, .values = {1, 1}});
  data.labels = {-1, 1};
  const auto mean_square = [&](double eta, std::optional<double> reference_step) {
    const Result result = solve(data, SquaredLoss{}, L1{.lambda = 0.1},
                                {.step = ConstantStep{.value = eta},
                                 .workers = 1,
                                 .batch_size = 1,
                                 .stop = {.steps = 200'000},
                                 .trace_every = 50,
                                 .reference_step = reference_step});
    EXPECT_EQ(result.plan.steps.reference_step, reference_step.value_or(1));
    double sum = 0;
    for (const Evaluation& row : result.trace) sum += std::pow(row.gradient_mapping, 2);
    return sum / static_cast<double>(result.trace.size());
  };
  for (const double eta : {1e-3, 1e-4}) {
    EXPECT_NEAR(mean_square(eta, eta), 9.7e-3, 1e-3) << eta;
    EXPECT_LT(mean_square(eta, std::nullopt), 100 * eta * eta) << eta;
  }
}

class OnA9a : public testing::TestWithParam<std::tuple<int, int, StalenessPolicy>> {};

TEST_P(OnA9a, KeepsTheBoundAndBalancesTheLedger) {
  ASYNPROX_NEEDS_REAL_DATA();
  const auto [workers, staleness_max, policy] = GetParam();
  for (const Runtime runtime : {Runtime::serial, Runtime::threads})
    for (const int pushes : {1, 3, workers}) {
      const Result result = solve(real_data("a9a.xz"), LogisticLoss{}, L1{.lambda = 1e-4},
                                  {.method = AsynProxSgd{},
                                   .workers = workers,
                                   .batch_size = 48 * pushes,
                                   .pushes_per_step = pushes,
                                   .staleness_max = staleness_max,
                                   .staleness_policy = policy,
                                   .stop = {.epochs = 3},
                                   .runtime = runtime});
      EXPECT_LE(result.staleness.max, staleness_max);
      EXPECT_TRUE(result.ledger.balanced());
      EXPECT_EQ(result.ledger.applied, pushes * result.steps);
      EXPECT_LT(result.objective, 0.36);
    }
}

// The limit does not depend on how many workers there are, or how stale their gradients may be: ten
// epochs end within 2 % of the optimum for all, and of each other.
TEST(Limit, IsTheSameForAllWorkersAndBounds) {
  ASYNPROX_NEEDS_REAL_DATA();
  constexpr double kOptimum = 0.326898961969135;
  for (const int workers : {1, 3, 8})
    for (const int staleness_max : {0, 1, 3}) {
      const Result result = solve(real_data("a9a.xz"), LogisticLoss{}, L1{.lambda = 1e-4},
                                  {.workers = workers,
                                   .batch_size = 48,
                                   .pushes_per_step = workers == 3 ? 3 : 1,
                                   .staleness_max = staleness_max,
                                   .stop = {.epochs = 10}});
      EXPECT_LE(result.staleness.max, staleness_max);
      EXPECT_NEAR(result.objective, kOptimum, 0.02 * kOptimum)
          << workers << " workers, staleness at most " << staleness_max;
    }
}

INSTANTIATE_TEST_SUITE_P(Grid, OnA9a,
                         testing::Combine(testing::Values(1, 3, 8), testing::Values(0, 1, 3),
                                          testing::Values(StalenessPolicy::hold,
                                                          StalenessPolicy::recompute)),
                         [](const auto& grid) {
                           return fmt::format("W{}_T{}_{}", std::get<0>(grid.param),
                                              std::get<1>(grid.param),
                                              name(std::get<2>(grid.param)));
                         });

// f of ten samples that raises a flag as soon as anybody asks for a gradient at steps.
struct Interrupting {
  std::atomic<bool>* flag;
  std::atomic<int>* gradients;

  std::size_t dimension() const { return 1; }
  std::size_t num_samples() const { return 10; }
  double value(std::span<const double>, Samples samples) const {
    return static_cast<double>(samples.size());
  }
  void add_gradient(std::span<const double>, Samples samples, std::span<const double>,
                    std::span<double>) const {
    if (samples.size() <= num_samples()) return;  // an evaluation
    ++*gradients;
    *flag = true;
  }
};

TEST(Runs, EndInTheMiddleOfAGradientOfVeryManySamples) {
  for (const Runtime runtime : {Runtime::serial, Runtime::threads}) {
    std::atomic<bool> flag = false;
    std::atomic<int> gradients = 0;
    const Result result = solve(Interrupting{&flag, &gradients}, Zero{},
                                {.method = AsynProxSgd{},
                                 .step = ConstantStep{.value = 1},
                                 .workers = 1,
                                 .batch_size = std::int64_t{5} << 20,
                                 .stop = {.steps = 3},
                                 .runtime = runtime,
                                 .interrupt = &flag});
    EXPECT_EQ(result.stop_reason, StopReason::interrupted);
    EXPECT_EQ(gradients, 1) << "of five pieces";
    EXPECT_EQ(result.steps, 0);
  }
}

}  // namespace
}  // namespace asynprox
