// The threads runtime, in whole runs: it equals the serial one where it can, and keeps the bound
// and the books where it cannot.
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>
#include <thread>

#include "asynprox/base/errors.h"
#include "asynprox/sampling.h"
#include "asynprox/solve.h"
#include "asynprox/step_sizes.h"
#include "asynprox/sums/linear_sum.h"

#include "tests/all_methods_testing.h"
#include "tests/generated_data_testing.h"
#include "tests/real_data_testing.h"

namespace asynprox {
namespace {

void expect_same_bits(const Result& a, const Result& b) {
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.ledger.received, b.ledger.received);
  EXPECT_EQ(a.stop_reason, b.stop_reason);
  ASSERT_EQ(a.trace.size(), b.trace.size());
  for (std::size_t i = 0; i < a.trace.size(); ++i) {
    EXPECT_EQ(a.trace[i].objective, b.trace[i].objective);
    EXPECT_EQ(a.trace[i].gradient_mapping, b.trace[i].gradient_mapping);
    EXPECT_EQ(a.trace[i].nonzeros, b.trace[i].nonzeros);
  }
}

// A separable regulariser and one that is not; pca needs a bounded set.
std::vector<AnyRegularizer> regularizers_for(const AnyLoss& loss) {
  if (loss.name() == "pca") return {NonNegBall{}, Box{.lower = 0, .upper = 1}};
  return {L1{.lambda = 1e-3}, L2Ball{.radius = 2}};
}

// The negative labels are counts of none.
Dataset data_for(const AnyLoss& loss) {
  Dataset data = generated();
  if (loss.name() == "poisson")
    for (double& y : data.labels) y = std::max(0.0, y);
  return data;
}

TEST(Threads, OfOneWorkerEqualSerialToTheBit) {
  int runs = 0;
  for_each_member(ScalarLosses{}, [&]<class Loss>(std::type_identity<Loss>) {
    const AnyLoss loss = Loss{};
    const Dataset data = data_for(loss);
    for (const AnyRegularizer& h : regularizers_for(loss))
      for (const AnyMethod& method : methods_for(LinearSum(data, data.labels, loss), h))
        for (const StateChoice state : {StateChoice::dense, StateChoice::lazy}) {
          const bool lazy_possible = method.traits().lazy != LazyForm::none && h.separable();
          if (state == StateChoice::lazy && !lazy_possible) continue;
          Options options = {.method = method, .workers = 1, .stop = {.epochs = 4}};
          options.state = state;
          options.runtime = Runtime::serial;
          const Result serial = solve(data, loss, h, options);
          options.runtime = Runtime::threads;
          SCOPED_TRACE(std::string(loss.name()) + " " + std::string(h.name()) + " " +
                       std::string(method.name()));
          expect_same_bits(serial, solve(data, loss, h, options));
          ++runs;
        }
  });
  EXPECT_GE(runs, 50);
}

// With more workers the order of pushes differs from run to run, as it does from seed to seed.
TEST(Threads, OfManyWorkersEndWithinTheSpreadOverSeedsOfSerial) {
  for (const int workers : {2, 4, 8}) {
    const auto objective = [&](Runtime runtime, std::uint64_t seed) {
      return solve(generated(), LogisticLoss{}, L1{.lambda = 1e-3},
                   {.method = AsynProxSgd{},
                    .workers = workers,
                    .sampling = Replacement{},
                    .stop = {.epochs = 10},
                    .runtime = runtime,
                    .seed = seed})
          .objective;
    };
    double least = 1e9, most = -1e9;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      const double serial = objective(Runtime::serial, seed);
      least = std::min(least, serial);
      most = std::max(most, serial);
    }
    double mean = 0;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) mean += objective(Runtime::threads, seed) / 6;
    EXPECT_LE(mean, most) << workers << " workers";
    EXPECT_GE(mean, least) << workers << " workers";
  }
}

// F = x^2 / 2, but for worker threads after a while.
struct Failing {
  std::size_t dimension() const { return 1; }
  std::size_t num_samples() const { return 100; }
  double value(std::span<const double> x, Samples samples) const {
    return x[0] * x[0] / 2 * static_cast<double>(samples.size());
  }
  void add_gradient(std::span<const double> x, Samples samples, std::span<const double>,
                    std::span<double> g) const {
    if (++*calls > 500) throw DataError("sample 7 is broken");
    g[0] += x[0] * static_cast<double>(samples.size());
  }
  std::shared_ptr<std::atomic<int>> calls = std::make_shared<std::atomic<int>>(0);
};

TEST(Threads, EndWithTheMessageOfAWorkerThatFails) {
  for (const int workers : {1, 3, 8}) {
    const Options options = {
        .step = ConstantStep{.value = 0.1}, .workers = workers, .stop = {.steps = 1'000'000}};
    try {
      solve(Failing{}, Zero{}, options);
      FAIL() << "nothing was thrown";
    } catch (const DataError& error) {
      EXPECT_STREQ(error.what(), "sample 7 is broken");
    }
  }
}

TEST(Threads, EndWithTheMessageOfACallbackThatFails) {
  Options options = {.workers = 4, .stop = {.epochs = 100}, .fallback = false};
  options.on_evaluation = [](const Evaluation& now) {
    if (now.epochs > 2) throw DataError("no more paper");
  };
  EXPECT_THROW(solve(generated(), LogisticLoss{}, Zero{}, options), DataError);
  options.on_evaluation = nullptr;
  options.stop = {.seconds = 100};
  options.on_progress = [](const Progress& now) {
    if (now.steps > 0) throw DataError("no more ink");
  };
  EXPECT_THROW(solve(generated(), LogisticLoss{}, Zero{}, options), DataError);
}

TEST(Threads, StopWhenTheyAreInterruptedOrTheirTimeIsUp) {
  std::atomic<bool> interrupt = false;
  std::thread somebody([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    interrupt = true;
  });
  Options options = {.workers = 3, .stop = {.steps = 1'000'000'000}, .fallback = false};
  options.interrupt = &interrupt;
  const Result interrupted = solve(generated(), LogisticLoss{}, Zero{}, options);
  somebody.join();
  EXPECT_EQ(interrupted.stop_reason, StopReason::interrupted);
  EXPECT_GT(interrupted.steps, 0);

  const Result timed = solve(generated(), LogisticLoss{}, Zero{},
                             {.workers = 3, .stop = {.seconds = 0.03}, .fallback = false});
  EXPECT_EQ(timed.stop_reason, StopReason::time_limit);
  EXPECT_GE(timed.seconds, 0.03);
}

TEST(Threads, TellHowFarTheyHaveCome) {
  std::vector<Progress> told;
  Options options = {.workers = 2, .stop = {.seconds = 0.25}, .fallback = false};
  options.on_progress = [&](const Progress& now) { told.push_back(now); };
  const Result result = solve(generated(), LogisticLoss{}, L1{.lambda = 1e-3}, options);
  ASSERT_GE(told.size(), 2U);
  for (std::size_t i = 1; i < told.size(); ++i) {
    EXPECT_GE(told[i].steps, told[i - 1].steps);
    EXPECT_LE(told[i].staleness_max, result.plan.workers.staleness_max);
  }
  EXPECT_LE(told.back().steps, result.steps);
  EXPECT_LE(*told.back().seconds_left, 0.25);
}

TEST(Threads, KeepTheBoundWhileWorkersLeaveAndJoin) {
  for (const StalenessPolicy policy : {StalenessPolicy::hold, StalenessPolicy::recompute})
    for (const int staleness_max : {0, 1, 4}) {
      Options options = {.workers = 4,
                         .batch_size = 8,
                         .pushes_per_step = 2,
                         .staleness_max = staleness_max,
                         .staleness_policy = policy,
                         .stop = {.steps = 3000},
                         .fallback = false};
      for (int worker = 0; worker < 4; ++worker)
        for (int life = 0; life < 5; ++life)
          options.absences.push_back({worker, 10 + 7 * worker + 60 * life, 0.0005});
      const Result result = solve(generated(), LogisticLoss{}, L1{.lambda = 1e-3}, options);
      EXPECT_EQ(result.steps, 3000);
      EXPECT_LE(result.staleness.max, staleness_max);
      EXPECT_TRUE(result.ledger.balanced());
    }
}

// Steps go on between its going and its coming back, be that before the end of the run or after.
TEST(Threads, GoOnWithoutAWorkerThatIsAway) {
  Options options = {.workers = 3, .staleness_max = 0, .stop = {.steps = 2000}, .fallback = false};
  options.absences = {{.worker = 1, .after_pushes = 3, .seconds = 1}};
  std::uint64_t left_at = 0, returned_at = 2000;  // steps
  options.on_events = [&](std::span<const Event> events) {
    for (const Event& event : events) {
      if (event.kind == EventKind::left) left_at = event.message.server_version;
      const bool returned = event.kind == EventKind::pull && event.message.incarnation > 0;
      if (returned) returned_at = event.message.server_version;
    }
  };
  EXPECT_EQ(solve(generated(), LogisticLoss{}, Zero{}, options).steps, 2000);
  EXPECT_GT(left_at, 0u);
  EXPECT_GT(returned_at, left_at + 10) << "the others waited for it";
}

// The step outside the lock, which small problems do not use.
TEST(Threads, ComputeStepsOfWideModelsOutsideTheLock) {
  const Dataset wide = read_dataset("generate:sparse-logistic:n=400,d=20000,nonzeros=20");
  for (const int workers : {1, 4}) {
    Options options = {.workers = workers, .batch_size = 16, .stop = {.steps = 300}};
    options.state = StateChoice::dense;
    options.pushes_per_step = 1;
    options.staleness_max = 2;
    const Result result = solve(wide, LogisticLoss{}, L1{.lambda = 1e-3}, options);
    EXPECT_LE(result.staleness.max, 2);
    EXPECT_TRUE(result.ledger.balanced());
    EXPECT_LT(result.objective, result.trace.front().objective);
  }
}

// Who computes a step waits for its model, whatever the bound would allow.
TEST(Threads, OfOneWorkerEqualSerialAlsoWhereStepsAreOutsideTheLock) {
  const Dataset wide = read_dataset("generate:sparse-logistic:n=400,d=20000,nonzeros=20");
  for (const StateChoice state : {StateChoice::dense, StateChoice::lazy}) {
    Options options = {.workers = 1, .batch_size = 200, .stop = {.steps = 300}};
    options.state = state;
    options.staleness_max = 4;
    options.runtime = Runtime::threads;
    const Result threads = solve(wide, LogisticLoss{}, L1{.lambda = 1e-3}, options);
    EXPECT_EQ(threads.staleness.max, 0);
    options.runtime = Runtime::serial;
    expect_same_bits(solve(wide, LogisticLoss{}, L1{.lambda = 1e-3}, options), threads);
  }
}

}  // namespace
}  // namespace asynprox
