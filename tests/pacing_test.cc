// Paced runs: workers that take the time of slower machines, and give the same numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>

#include "asynprox/base/errors.h"
#include "asynprox/methods.h"
#include "asynprox/solve.h"

namespace asynprox {
namespace {

// A batch takes longer than any test at this pace.
constexpr double kOneInAYear = 3e-8;

const Dataset& generated() {
  static const Dataset data =
      read_dataset("generate:sparse-logistic:n=1000,d=100,nonzeros=10,seed=3");
  return data;
}

Result solved(Options options) {
  if (!options.method) options.method = AsynProxSgd{};
  return solve(generated(), LogisticLoss{}, L1{.lambda = 1e-3}, options);
}

TEST(PacedRun, OfOneWorkerEqualsSerialToTheBit) {
  Options options = {.workers = 1, .stop = {.epochs = 3}, .runtime = Runtime::serial};
  const Result serial = solved(options);
  options.runtime = Runtime::threads;
  options.pace = 200'000;
  options.speeds = {0.5};
  const Result paced = solved(options);
  EXPECT_EQ(paced.x, serial.x);
  EXPECT_EQ(paced.steps, serial.steps);
  EXPECT_EQ(paced.objective, serial.objective);
  EXPECT_EQ(paced.plan.execution.pace, 200'000);
  EXPECT_EQ(paced.plan.execution.speeds, Vector{0.5});
}

struct PacedPushes {
  Result result;
  std::vector<int> pushes;              // of each worker
  std::vector<double> compute_seconds;  // of its fastest
};

PacedPushes counted(Options options) {
  PacedPushes counted{
      {}, std::vector<int>(options.workers, 0), std::vector<double>(options.workers, 1e9)};
  options.on_events = [&](std::span<const Event> events) {
    for (const Event& event : events) {
      if (event.kind != EventKind::push) continue;
      ++counted.pushes[event.worker];
      double& least = counted.compute_seconds[event.worker];
      least = std::min(least, static_cast<double>(event.compute_seconds));
    }
  };
  counted.result = solved(options);
  return counted;
}

// Eight workers, one of them four times slower, on whatever cores there are.
TEST(PacedRun, LetsNoWorkerPushFasterThanItsPace) {
  constexpr int kWorkers = 8;
  constexpr double kPace = 2000, kSamples = 8, kSpeed = 0.25;
  Options options = {.workers = kWorkers,
                     .batch_size = kWorkers * 8,
                     .staleness_max = 50,
                     .stop = {.steps = 40},
                     .trace_every = 2};
  options.pace = kPace;
  options.speeds = {1, 1, kSpeed};
  // The run's clock stands still meanwhile, and so must the workers' pauses.
  options.on_evaluation = [](const Evaluation&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  };
  const auto [result, pushes, compute_seconds] = counted(options);
  for (int worker = 0; worker < kWorkers; ++worker) {
    const double seconds = kSamples / kPace / (worker == 2 ? kSpeed : 1);
    EXPECT_GE(compute_seconds[worker], 0.999 * seconds) << "a float, of worker " << worker;
    EXPECT_LE(pushes[worker] * seconds, result.seconds) << "worker " << worker;
    EXPECT_GT(pushes[worker], 0);
  }
  const int others = std::accumulate(pushes.begin(), pushes.end(), 0) - pushes[2];
  EXPECT_LT(pushes[2], others / (kWorkers - 1)) << "the slow one did as much as the others";
  EXPECT_GE(result.seconds, 40 * kSamples * kWorkers / (kPace * (kWorkers - 1 + kSpeed)));
}

// Of a synchronous method the slowest worker sets the time.
TEST(PacedRun, OfASynchronousMethodWaitsForTheSlowest) {
  Options options = {.method = ProxSgd{}, .workers = 3, .batch_size = 30, .stop = {.steps = 10}};
  options.pace = 10'000;
  options.speeds = {1, 0.25};
  EXPECT_GE(solved(options).seconds, 10 * 10 / (10'000 * 0.25));
}

TEST(PacedRun, EndsInTheMiddleOfAPauseWhenItIsInterrupted) {
  std::atomic<bool> interrupt = false;
  std::thread somebody([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    interrupt = true;
  });
  Options options = {.workers = 3, .stop = {.steps = 10}};
  options.pace = kOneInAYear;
  options.interrupt = &interrupt;
  const Result result = solved(options);
  somebody.join();
  EXPECT_EQ(result.stop_reason, StopReason::interrupted);
  EXPECT_EQ(result.steps, 0);
}

TEST(PacedRun, EndsInTheMiddleOfAPauseWhenItsTimeIsUp) {
  Options options = {.workers = 3, .stop = {.seconds = 0.02}};
  options.pace = kOneInAYear;
  EXPECT_EQ(solved(options).stop_reason, StopReason::time_limit);
}

// The others reach the limit without the one that pauses.
TEST(PacedRun, EndsInTheMiddleOfAPauseAtItsLastStep) {
  Options options = {.workers = 3,
                     .batch_size = 4,
                     .pushes_per_step = 1,
                     .staleness_max = 1000,
                     .stop = {.steps = 100}};
  options.pace = 1e6;
  options.speeds = {1, kOneInAYear / 1e6};
  const Result result = solved(options);
  EXPECT_EQ(result.steps, 100);
  EXPECT_EQ(result.stop_reason, StopReason::step_limit);
}

TEST(PacedRun, EndsInTheMiddleOfAPauseWhenSomebodyFails) {
  Options options = {.workers = 3, .stop = {.steps = 10}};
  options.pace = kOneInAYear;
  options.on_progress = [](const Progress&) { throw DataError("no more ink"); };
  EXPECT_THROW(solved(options), DataError);
}

TEST(PacedRun, IsRefusedWhereItMakesNoSense) {
  const auto refused = [](const Options& change) {
    Options options = change;
    options.stop = {.steps = 1};
    options.workers = 2;
    EXPECT_THROW(solved(options), ContractError);
  };
  for (const double pace : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::nan("")})
    refused({.pace = pace});
  for (const double speed : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::nan("")})
    refused({.pace = 1e9, .speeds = {speed}});
  refused({.runtime = Runtime::serial, .pace = 1e9});
  refused({.speeds = {1}});
  refused({.pace = 1e9, .speeds = {1, 1, 1}});
}

}  // namespace
}  // namespace asynprox
