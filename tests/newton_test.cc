// Runs whose evaluations go on by Newton's method.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "asynprox/problem/linear_sum.h"
#include "asynprox/solve.h"

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
  const Result helped = solved({.stop = {.tolerance = 1e-8}});
  const Result alone = solved({.stop = {.tolerance = 1e-8}, .newton = false});
  EXPECT_TRUE(helped.settings.newton);
  EXPECT_FALSE(alone.settings.newton);
  EXPECT_EQ(helped.stop_reason, StopReason::converged);
  EXPECT_NEAR(helped.objective, alone.objective, 1e-8);
  EXPECT_EQ(helped.nonzeros, alone.nonzeros);
  EXPECT_LT(2 * helped.epochs, alone.epochs);
  EXPECT_FALSE(solved({.method = AsynProxSaga{}, .stop = {.epochs = 3}}).settings.newton);
  EXPECT_TRUE(
      solved({.method = AsynProxSaga{}, .stop = {.epochs = 3}, .newton = true}).settings.newton);
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
  EXPECT_LT(static_cast<double>(result.steps * result.settings.batch_size), 4 * n);
}

TEST(Newton, GoesOnlyAsFarAsATimeLimitLets) {
  const Result result = solved({.workers = 2, .stop = {.seconds = 1e-3}});
  EXPECT_EQ(result.stop_reason, StopReason::time_limit);
  EXPECT_LE(result.objective, std::log(2));
}

TEST(Newton, IsRefusedWhereItCannotBe) {
  const Options asked = {.stop = {.epochs = 2}, .newton = true};
  EXPECT_THROW(solved(asked, L2Ball{}), ContractError);
  EXPECT_THROW(solve(generated(), SigmoidLoss{}, L1{.lambda = 1e-3}, asked), ContractError);
  Options paced = asked;
  paced.pace = 1e6;
  EXPECT_THROW(solved(paced), ContractError);
  Options simulated = asked;
  simulated.runtime = Runtime::simulated;
  EXPECT_THROW(solved(simulated), ContractError);
  Options stepped = asked;
  stepped.step = ConstantStep{0.1};
  EXPECT_THROW(solved(stepped), ContractError);
  Dataset centred = generated();
  center_columns(centred);
  EXPECT_THROW(solve(centred, LogisticLoss{}, L1{.lambda = 1e-3}, asked), ContractError);
  // ... and left out where it was not asked for.
  EXPECT_FALSE(
      solve(centred, LogisticLoss{}, L1{.lambda = 1e-3}, {.stop = {.epochs = 2}}).settings.newton);
}

// Somebody wants the run to end while a Hessian is made.
struct Interrupting : LinearSum {
  Interrupting(const Dataset& data, std::atomic<bool>& wanted)
      : LinearSum(data, data.labels, LogisticLoss{}), interrupt(&wanted) {}

  Gram gram(Samples samples, std::span<const double> weights, std::span<const Key> keys) const {
    *interrupt = true;
    return LinearSum::gram(samples, weights, keys);
  }

  std::atomic<bool>* interrupt;
};

TEST(Newton, IsGivenUpWhereTheRunIsInterruptedAndTheRunReplays) {
  for (const Runtime runtime : {Runtime::serial, Runtime::threads}) {
    std::atomic<bool> interrupt = false;
    const Interrupting f(generated(), interrupt);
    std::vector<Event> events;
    Options options = {.workers = 2, .runtime = runtime};
    options.interrupt = &interrupt;
    Options recording = options;
    recording.on_events = [&](std::span<const Event> some) {
      events.insert(events.end(), some.begin(), some.end());
    };
    const Result result = solve(f, L1{.lambda = 1e-3}, recording);
    EXPECT_EQ(result.stop_reason, StopReason::interrupted);
    EXPECT_LT(result.objective, std::log(2));
    EXPECT_LT(result.epochs, 8);
    std::size_t next = 0;
    std::atomic<bool> nobody = false;
    options.interrupt = &nobody;
    const Replayed again = replay(LinearSum(generated(), generated().labels, LogisticLoss{}),
                                  L1{.lambda = 1e-3}, options, [&]() -> std::optional<Event> {
                                    if (next == events.size()) return std::nullopt;
                                    return events[next++];
                                  });
    EXPECT_EQ(again.comparison.difference.value_or("none"), "none");
    EXPECT_EQ(again.result.x, result.x);
  }
}

}  // namespace
}  // namespace asynprox
