// Algorithm 2: runs whose delays are given.
#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/base/errors.h"
#include "asynprox/delays.h"
#include "asynprox/finite_sum.h"
#include "asynprox/methods.h"
#include "asynprox/run/theory.h"
#include "asynprox/run_record.h"
#include "asynprox/solve.h"
#include "asynprox/step_sizes.h"

#include "tests/generated_data_testing.h"

namespace asynprox {
namespace {

Result run(Options options) {
  if (!options.method) options.method = AsynProxSgd{};
  return solve(generated(), LogisticLoss{}, L1{.lambda = 1e-3}, options);
}

Options delayed(const AnyDelay& delay, int workers, int pushes_per_step) {
  return {.workers = workers,
          .batch_size = 12,
          .pushes_per_step = pushes_per_step,
          .delays = delay,
          .stop = {.steps = 200},
          .runtime = Runtime::serial};
}

TEST(GivenDelays, OfZeroAreTheSerialRunToTheBit) {
  for (const auto& [workers, pushes] : {std::pair{1, 1}, {1, 4}, {2, 2}, {4, 4}}) {
    Options options = delayed(ConstantDelay{.steps = 0}, workers, pushes);
    const Result given = run(options);
    options.delays.reset();
    options.staleness_max = 0;
    const Result serial = run(options);
    EXPECT_EQ(given.x, serial.x) << workers << " workers, " << pushes << " pushes per step";
    EXPECT_EQ(given.staleness.histogram, serial.staleness.histogram);
    ASSERT_EQ(given.trace.size(), serial.trace.size());
    for (std::size_t i = 0; i < given.trace.size(); ++i)
      EXPECT_EQ(given.trace[i].objective, serial.trace[i].objective);
  }
}

// Of 200 steps of m pushes the first T have younger gradients: there are no older models yet.
TEST(GivenDelays, AreTheStalenessOfTheRun) {
  for (const auto& [workers, pushes] : {std::pair{1, 1}, {3, 2}, {2, 3}, {8, 1}, {4, 4}})
    for (const std::int64_t T : {0, 1, 5, 63}) {
      const Result result = run(delayed(ConstantDelay{.steps = T}, workers, pushes));
      std::vector<std::int64_t> expected(T + 1, pushes);
      expected[T] = pushes * (200 - T);
      EXPECT_EQ(result.staleness.histogram, expected);
      EXPECT_EQ(result.plan.workers.staleness_max, T);
      EXPECT_EQ(result.plan.execution.delays->name(), "constant");
      EXPECT_EQ(result.ledger.refused[static_cast<int>(Refusal::stale)], 0);
      EXPECT_TRUE(result.ledger.balanced());
    }
}

TEST(GivenDelays, FromAFileBelongToThePushesInOrder) {
  const std::vector<double> ages = {2, 0, 7, 1, 0};
  const Result result = run(delayed(FileDelay{.file = {"ages.txt", ages}}, 2, 3));
  std::vector<std::int64_t> expected(8, 0);
  for (std::int64_t k = 0; k < 200; ++k)
    for (std::int64_t i = 0; i < 3; ++i)
      ++expected[std::min(static_cast<std::int64_t>(ages[(3 * k + i) % 5]), k)];
  EXPECT_EQ(result.staleness.histogram, expected);
  EXPECT_EQ(result.plan.workers.staleness_max, 7);
}

TEST(GivenDelays, UniformDependOnTheSeedAndReachEveryAge) {
  Options options = delayed(UniformDelay{.steps_max = 6}, 3, 3);
  const Result first = run(options), again = run(options);
  EXPECT_EQ(first.x, again.x);
  ASSERT_EQ(first.staleness.histogram.size(), 7U);
  // 600 pushes over 7 ages are 86 each, with a standard deviation of 9.
  for (const std::int64_t count : first.staleness.histogram) EXPECT_LE(std::abs(count - 86), 45);
  options.seed = 2;
  EXPECT_NE(run(options).staleness.histogram, first.staleness.histogram);
}

// f(x) = x^2 / 2, one sample: no noise, L = 1.
struct Quadratic {
  std::size_t dimension() const { return 1; }
  std::size_t num_samples() const { return 1; }
  double value(std::span<const double> x, Samples) const { return x[0] * x[0] / 2; }
  void add_gradient(std::span<const double> x, Samples, std::span<const double>,
                    std::span<double> g) const {
    g[0] += x[0];
  }
  double lipschitz() const { return 1; }
  bool convex() const { return true; }
};

Result quadratic_run(std::int64_t T, double eta, std::int64_t steps) {
  return solve(Quadratic{}, Zero{},
               {.step = ConstantStep{.value = eta},
                .workers = 1,
                .batch_size = 1,
                .delays = ConstantDelay{.steps = T},
                .stop = {.steps = steps},
                .trace_every = steps,
                .runtime = Runtime::serial,
                .x0 = Vector{1}});
}

TEST(GivenDelays, TakeTheGradientAtTheOldModel) {
  // From 1, by a quarter of the model two steps ago: 3/4, 1/2, 1/4, then 1/4 - (1/4)(3/4), then
  // that - (1/4)(1/2)
  EXPECT_DOUBLE_EQ(quadratic_run(2, 0.25, 3).x[0], 0.25);
  EXPECT_DOUBLE_EQ(quadratic_run(2, 0.25, 4).x[0], 0.25 - 0.1875);
  EXPECT_DOUBLE_EQ(quadratic_run(2, 0.25, 5).x[0], 0.25 - 0.1875 - 0.125);
}

// x_{k+1} = x_k - eta x_{k-T} is stable exactly while eta < 2 sin(pi / (2 (2T + 1))).
TEST(GivenDelays, HaveTheExactStabilityLimitOfAQuadratic) {
  for (const std::int64_t T : {0, 1, 2, 5, 20, 63}) {
    const double limit = stability_limit(T);
    const std::int64_t steps = 3000 * (T + 1);
    EXPECT_LT(quadratic_run(T, 0.99 * limit, steps).objective, 1e-4) << "T " << T;
    EXPECT_GT(quadratic_run(T, 1.01 * limit, steps).objective, 1e4) << "T " << T;
  }
}

// The first condition of Theorem 1 alone is not enough.
TEST(GivenDelays, NeedBothConditionsOfTheTheorem) {
  const Result first_only = quadratic_run(63, 1.0 / 16, 200000);
  EXPECT_TRUE(first_only.theory.conditions[0].met);
  EXPECT_FALSE(first_only.theory.conditions[1].met);
  EXPECT_EQ(first_only.theory.conditions_met, false);
  EXPECT_EQ(first_only.stop_reason, StopReason::diverged);

  const Result both = quadratic_run(63, 0.999 / (63 * std::sqrt(6.0)), 20000);
  EXPECT_EQ(both.theory.conditions_met, true);
  EXPECT_LT(both.objective, 1e-12);
}

TEST(GivenDelays, AreReplayed) {
  std::vector<Event> events;
  Options options = delayed(UniformDelay{.steps_max = 9}, 3, 2);
  options.on_events = [&](std::span<const Event> some) {
    events.insert(events.end(), some.begin(), some.end());
  };
  const Result recorded = run(options);
  std::size_t next = 0;
  const auto next_event = [&]() -> std::optional<Event> {
    if (next == events.size()) return std::nullopt;
    return events[next++];
  };
  const Replayed replayed =
      replay(generated(), LogisticLoss{}, L1{.lambda = 1e-3}, recorded.plan, next_event);
  EXPECT_EQ(replayed.comparison.difference, std::nullopt);
  EXPECT_EQ(replayed.comparison.pushes, 400);
  EXPECT_EQ(replayed.result.x, recorded.x);
  EXPECT_EQ(replayed.result.staleness.histogram, recorded.staleness.histogram);
}

TEST(GivenDelays, AreRefusedWhereTheyCannotBeFollowed) {
  const Options good = delayed(ConstantDelay{.steps = 3}, 2, 2);
  Options threads = good, synchronous = good, lazy = good, bound = good;
  threads.runtime = Runtime::threads;
  synchronous.method = ProxSgd{};
  lazy.state = StateChoice::lazy;
  bound.staleness_max = 4;
  for (const Options& options : {threads, synchronous, lazy, bound})
    EXPECT_THROW(run(options), ContractError);
  bound.staleness_max = 3;
  EXPECT_EQ(run(bound).plan.workers.staleness_max, 3);
}

TEST(GivenDelays, KeepTheModelDenseOnWideSparseData) {
  const Dataset wide = read_dataset("generate:sparse-logistic:n=500,d=20000,nonzeros=5");
  Options options = delayed(ConstantDelay{.steps = 2}, 2, 2);
  options.stop.steps = 5;
  const Result result = solve(wide, LogisticLoss{}, L1{.lambda = 1e-3}, options);
  EXPECT_EQ(result.plan.state, StateChoice::dense);
}

}  // namespace
}  // namespace asynprox
