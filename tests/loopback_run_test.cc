// The runtime loopback, in whole runs: it equals the serial one where it can, and keeps the bound and the
// books where it cannot.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <deque>
#include <mutex>

#include "asynprox/base/errors.h"
#include "asynprox/run_record.h"
#include "asynprox/solve.h"
#include "asynprox/sums/linear_sum.h"

#include "tests/all_methods_testing.h"
#include "tests/generated_data_testing.h"

namespace asynprox {
namespace {

const L1 kRegularizer{.lambda = 1e-3};

LinearSum some_sum() { return {generated(), generated().labels, LogisticLoss{}}; }

Result solve_on(Runtime runtime, Options options) {
  options.runtime = runtime;
  return solve(some_sum(), kRegularizer, options);
}

void expect_same_bits(const Result& a, const Result& b) {
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.ledger.received, b.ledger.received);
  EXPECT_EQ(a.stop_reason, b.stop_reason);
  ASSERT_EQ(a.trace.size(), b.trace.size());
  for (std::size_t i = 0; i < a.trace.size(); ++i)
    EXPECT_EQ(a.trace[i].objective, b.trace[i].objective);
}

TEST(LoopbackRun, OfOneWorkerEqualsSerialToTheBit) {
  int runs = 0;
  for (const AnyMethod& method : methods_for(some_sum(), kRegularizer))
    for (const StateChoice state : {StateChoice::dense, StateChoice::lazy}) {
      if (state == StateChoice::lazy && method.traits().lazy == LazyForm::none) continue;
      SCOPED_TRACE(method.name());
      const Options options = {
          .method = method, .workers = 1, .stop = {.epochs = 5}, .state = state};
      expect_same_bits(solve_on(Runtime::loopback, options), solve_on(Runtime::serial, options));
      ++runs;
    }
  EXPECT_GT(runs, 8);
  expect_same_bits(solve_on(Runtime::loopback, {.workers = 1}),
                   solve_on(Runtime::serial, {.workers = 1}));
}

class SeveralWorkers : public ::testing::TestWithParam<int> {};

TEST_P(SeveralWorkers, KeepTheBoundAndTheBooksAndReplay) {
  for (const AnyMethod& method : methods_for(some_sum(), kRegularizer)) {
    if (method.traits().control == StepControl::refinements) continue;
    SCOPED_TRACE(method.name());
    std::deque<Event> events;
    Options options = {.method = method, .workers = GetParam(), .stop = {.epochs = 5}};
    options.on_events = [&](std::span<const Event> some) {
      events.insert(events.end(), some.begin(), some.end());
    };
    const Result result = solve_on(Runtime::loopback, options);
    EXPECT_LE(result.staleness.max, result.plan.workers.staleness_max);
    EXPECT_TRUE(result.ledger.balanced());
    EXPECT_EQ(result.ledger.refused_total(), 0);
    const Replayed again =
        replay(some_sum(), kRegularizer, result.plan, [&]() -> std::optional<Event> {
          if (events.empty()) return std::nullopt;
          const Event event = events.front();
          events.pop_front();
          return event;
        });
    EXPECT_EQ(again.comparison.difference.value_or("none"), "none");
    EXPECT_EQ(again.result.x, result.x);
  }
}

// What is certified to 1e-4 is that close to the optimum, and to each other, on every runtime.
TEST_P(SeveralWorkers, ReachWhatThreadsReach) {
  const Result threads = solve_on(Runtime::threads, {.workers = GetParam()});
  const Result loopback = solve_on(Runtime::loopback, {.workers = GetParam()});
  EXPECT_EQ(loopback.stop_reason, StopReason::converged);
  EXPECT_NEAR(loopback.objective, threads.objective, 2e-4 * std::abs(threads.objective));
}

INSTANTIATE_TEST_SUITE_P(, SeveralWorkers, ::testing::Values(2, 8));

TEST(LoopbackRun, IsPacedLikeThreads) {
  const Options options = {.method = AnyMethod(AsynProxSgd{}),
                           .workers = 2,
                           .batch_size = 20,
                           .stop = {.steps = 20},
                           .trace_every = 1000,
                           .pace = 1000};
  // 20 steps of 20 samples, by two workers of 1000 samples per second each.
  EXPECT_GE(solve_on(Runtime::loopback, options).seconds, 0.19);
}

TEST(LoopbackRun, IsInterrupted) {
  std::atomic<bool> interrupt = false;
  Options options = {.workers = 2, .stop = {.epochs = 1e9}, .fallback = false};
  options.trace_every = 1000;
  options.interrupt = &interrupt;
  options.on_evaluation = [&](const Evaluation& now) { interrupt = now.steps > 0; };
  const Result result = solve_on(Runtime::loopback, options);
  EXPECT_EQ(result.stop_reason, StopReason::interrupted);
  EXPECT_GT(result.steps, 0);
}

TEST(Mpi, IsNoMatterOfTheLibrary) { EXPECT_THROW(solve_on(Runtime::mpi, {}), ContractError); }

}  // namespace
}  // namespace asynprox
