// Runs whose evaluations go on by Newton's method.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <thread>

#include "asynprox/finite_sum.h"
#include "asynprox/linalg/rows_builder.h"
#include "asynprox/methods.h"
#include "asynprox/run_record.h"
#include "asynprox/solve.h"
#include "asynprox/step_sizes.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox {
namespace {

const Dataset& generated() {
  static const Dataset data =
      read_dataset("generate:sparse-logistic:n=4000,d=100,nonzeros=10,seed=3");
  return data;
}

Result solved(const Options& options, const AnyRegularizer& h = L1{.lambda = 1e-3}) {
  return solve(generated(), LogisticLoss{}, h, options);
}

TEST(Newton, HelpsWhereNoMethodIsNamed) {
  const Result helped = solved({.workers = 1, .stop = {.tolerance = 1e-8}});
  const Result alone = solved({.workers = 1, .stop = {.tolerance = 1e-8}, .newton = false});
  EXPECT_TRUE(helped.plan.refinements.newton);
  EXPECT_FALSE(alone.plan.refinements.newton);
  EXPECT_EQ(helped.stop_reason, StopReason::converged);
  EXPECT_NEAR(helped.objective, alone.objective, 1e-8);
  EXPECT_EQ(helped.nonzeros, alone.nonzeros);
  EXPECT_LT(2 * helped.epochs, alone.epochs);
  EXPECT_FALSE(solved({.method = AsynProxSaga{}, .stop = {.epochs = 3}}).plan.refinements.newton);
  EXPECT_TRUE(solved({.method = AsynProxSaga{}, .stop = {.epochs = 3}, .newton = true})
                  .plan.refinements.newton);
}

// With the same shares of the evaluations.
TEST(Newton, GivesTheSameBitsOnThreadsAsInTurns) {
  const Options threads = {.workers = 1, .stop = {.tolerance = 1e-6}};
  Options serial = threads;
  serial.runtime = Runtime::serial;
  const Result a = solved(threads), b = solved(serial);
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.epochs, b.epochs);
  ASSERT_EQ(a.trace.size(), b.trace.size());
}

// What it reads counts: the server's samples are fewer.
TEST(Newton, CountsWhatItReads) {
  const Result result = solved({.workers = 1, .stop = {.tolerance = 1e-6}});
  const double n = 4000;
  EXPECT_DOUBLE_EQ(result.epochs, static_cast<double>(result.sample_gradients) / n);
  const auto& before = result.trace[result.trace.size() - 2];
  EXPECT_GT(result.epochs - before.epochs, 3);
  EXPECT_LT(static_cast<double>(result.steps * result.plan.batch.size), 4 * n);
}

TEST(Newton, ReadsNoMoreEpochsThanThereAre) {
  for (const double epochs : {2.0, 3.0, 5.0}) {
    const Result result = solved({.workers = 1, .stop = {.epochs = epochs}});
    EXPECT_EQ(result.stop_reason, StopReason::epoch_limit);
    EXPECT_LT(result.epochs, epochs + 0.05);  // a step more
    EXPECT_GT(result.epochs, 0.9 * epochs);
  }
}

// Long rows of many coordinates: a good Hessian would cost more than all the steps.
TEST(Newton, LeavesDenseRowsToTheMethod) {
  const Dataset data = read_dataset("generate:sparse-logistic:n=3000,d=300,nonzeros=300");
  const auto run = [&](bool newton) {
    return solve(data, LogisticLoss{}, SquaredL2{.lambda = 1e-3},
                 {.workers = 1, .stop = {.epochs = 200, .tolerance = 1e-4}, .newton = newton});
  };
  const Result helped = run(true), alone = run(false);
  EXPECT_EQ(helped.stop_reason, StopReason::converged);
  EXPECT_EQ(alone.stop_reason, StopReason::converged);
  EXPECT_LT(helped.epochs, 1.5 * alone.epochs + 1);
}

// Two samples whose loss and its slope vanish far out, where nothing leads back from.
TEST(Newton, TakesNoStepThatGainsLittleOfWhatWasExpected) {
  Dataset data;
  RowsBuilder rows;
  rows.add(std::vector<std::size_t>{0, 2, 4}, std::vector<Key>{0, 1, 0, 4}, Vector{1, 0.5, 0.2, 3});
  data.rows = std::move(rows).build(5);
  data.labels = {1, -1};
  for (const int workers : {1, 2})
    EXPECT_LT(solve(data, SmoothedHingeLoss{}, L1{.lambda = 1e-7}, {.workers = workers}).objective,
              1e-5 * 0.5);  // 0.5 at the start
}

TEST(Newton, IsRefusedWhereItCannotBe) {
  const auto reason = [](const auto& run) -> std::string {
    try {
      run();
    } catch (const ContractError& error) {
      return error.what();
    }
    return "none";
  };
  const Options asked = {.stop = {.epochs = 2}, .newton = true};
  const auto with = [&](auto change) {
    Options options = asked;
    change(options);
    return reason([&] { solved(options); });
  };
  EXPECT_EQ(reason([&] { solved(asked, L2Ball{}); }),
            "--newton on requires a separable regularizer; got l2-ball");
  EXPECT_EQ(reason([&] { solve(generated(), SigmoidLoss{}, L1{.lambda = 1e-3}, asked); }),
            "--newton on requires a convex loss; got one that is not");
  EXPECT_EQ(with([](Options& options) { options.pace = 1e6; }),
            "--newton on requires workers as fast as they are; got a pace");
  EXPECT_EQ(with([](Options& options) { options.runtime = Runtime::simulated; }),
            "--newton on requires real time; got a simulation");
  EXPECT_EQ(
      with([](Options& options) { options.step = ConstantStep{0.1}; }),
      "--newton on requires --step auto, and a method whose steps are judged by evaluations; got "
      "asyn-prox-sgd with the step constant");
  EXPECT_EQ(
      with([](Options& options) { options.method = Fista{}; }),
      "--newton on requires --step auto, and a method whose steps are judged by evaluations; got "
      "fista with the step auto");
  // ... and left out where it was not asked for.
  EXPECT_FALSE(solve(generated(), SigmoidLoss{}, L1{.lambda = 1e-3}, {.stop = {.epochs = 2}})
                   .plan.refinements.newton);
}

// Its sums for Hessians do something else, too: the first, or a later one.
struct Meddling : LinearSum {
  Meddling(const Dataset& data, int nth, std::function<void()> meddle)
      : LinearSum(data, data.labels, LogisticLoss{}),
        left(std::make_shared<std::atomic<int>>(nth)),
        meddles(std::move(meddle)) {}

  Gram gram(Samples samples, std::span<const double> weights, std::span<const Key> keys) const {
    if (--*left == 0) meddles();
    return LinearSum::gram(samples, weights, keys);
  }

  std::shared_ptr<std::atomic<int>> left;  // workers sum side by side
  std::function<void()> meddles;
};

struct Recorded {
  Result result;
  std::vector<Event> events;
};

Recorded recorded(const AnyFiniteSum& f, Options options) {
  Recorded run;
  options.on_events = [&](std::span<const Event> some) {
    run.events.insert(run.events.end(), some.begin(), some.end());
  };
  run.result = solve(f, L1{.lambda = 1e-3}, options);
  return run;
}

void expect_replays(const Recorded& run) {
  std::size_t next = 0;
  const Replayed again = replay(LinearSum(generated(), generated().labels, LogisticLoss{}),
                                L1{.lambda = 1e-3}, run.result.plan, [&]() -> std::optional<Event> {
                                  if (next == run.events.size()) return std::nullopt;
                                  return run.events[next++];
                                });
  EXPECT_EQ(again.comparison.difference.value_or("none"), "none");
  EXPECT_EQ(again.result.x, run.result.x);
  EXPECT_EQ(again.result.epochs, run.result.epochs);
}

TEST(Newton, OfSeveralThreadsReplays) {
  const LinearSum f(generated(), generated().labels, LogisticLoss{});
  for (const int workers : {2, 4}) {
    const Options options = {.workers = workers, .stop = {.tolerance = 1e-9}};
    const Recorded run = recorded(f, options);
    EXPECT_EQ(run.result.stop_reason, StopReason::converged);
    expect_replays(run);
  }
}

// What it has found by then is kept, and the run can be made again.
TEST(Newton, EndsWhereTheRunIsInterruptedAndReplays) {
  for (const Runtime runtime : {Runtime::serial, Runtime::threads})
    for (const int nth : {1, 4}) {
      SCOPED_TRACE(testing::Message() << name(runtime) << ", in sum " << nth);
      std::atomic<bool> interrupt = false;
      const Meddling f(generated(), nth, [&] { interrupt = true; });
      Options options = {.workers = 2, .runtime = runtime};
      options.interrupt = &interrupt;
      const Recorded run = recorded(f, options);
      EXPECT_EQ(run.result.stop_reason, StopReason::interrupted);
      EXPECT_LT(run.result.objective, nth == 1 ? std::log(2) : 0.6);
      EXPECT_LT(run.result.epochs, nth == 1 ? 4 : 9);
      expect_replays(run);
    }
}

TEST(Newton, EndsWhereTimeIsUpAndReplays) {
  const Meddling f(generated(), 3,
                   [] { std::this_thread::sleep_for(std::chrono::milliseconds(1500)); });
  const Options options = {.workers = 2, .stop = {.seconds = 1}};
  const Recorded run = recorded(f, options);
  EXPECT_EQ(run.result.stop_reason, StopReason::time_limit);
  EXPECT_LT(run.result.epochs, 9);
  EXPECT_LT(run.result.objective, std::log(2));
  expect_replays(run);
}

}  // namespace
}  // namespace asynprox
