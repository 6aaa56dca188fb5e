#include "asynprox/algorithm/server.h"

#include <gtest/gtest.h>

#include <limits>
#include <string_view>
#include <tuple>

#include "asynprox/regularizers/all.h"
#include "asynprox/step_sizes/all.h"

namespace asynprox {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// x in R^2 from (1, 1), h = zero, eta = 0.5.
Server make_server(const ServerOptions& options, std::int64_t steps_max = 1000) {
  return Server(make_dense_state({1, 1}, Zero{}), ConstantStep{.value = 0.5}, {}, options,
                Stopping({.steps = steps_max}, 1), EvaluationSchedule::every(1000000));
}

// Pulls for all workers and lets the first evaluation pass.
void start(Server& server, int workers, Replies& replies) {
  for (int worker = 0; worker < workers; ++worker) server.receive(Pull{.worker = worker}, replies);
  EXPECT_EQ(replies.size(), 0u) << "no model before the first evaluation";
  server.evaluated({}, replies);
}

Push push_of(int worker, std::int64_t sequence, std::int64_t version, Vector values = {1, 2}) {
  Push push;
  push.id = {worker, 0, sequence};
  push.version = version;
  push.num_samples = 1;
  push.values = std::move(values);
  return push;
}

const Reply& only(Replies& replies) {
  EXPECT_EQ(replies.size(), 1u);
  return *replies.begin();
}

TEST(Server, StepsOnlyWhenEnoughGradientsAreAccumulated) {
  Server server = make_server({.pushes_per_step = 2, .batch_size = 2});
  Replies replies;
  start(server, 2, replies);
  Push first = push_of(0, 1, 0, {1, 2}), second = push_of(1, 1, 0, {3, 4});
  server.receive(first, replies);
  EXPECT_EQ(server.version(), 0);
  server.receive(second, replies);
  EXPECT_EQ(server.version(), 1);
  // G = (4, 6) / 2; x = (1, 1) - 0.5 G.
  EXPECT_EQ(server.iterate(), (Vector{0, -0.5}));
}

TEST(Server, AnswersAPushByTheNewestModel) {
  Server server = make_server({});
  Replies replies;
  start(server, 1, replies);
  EXPECT_EQ(*only(replies).model.whole, (Vector{1, 1}));
  replies.clear();
  Push push = push_of(0, 1, 0);
  server.receive(push, replies);
  EXPECT_EQ(only(replies).verdict, Verdict::accepted);
  EXPECT_EQ(only(replies).model.version, 1);
  EXPECT_EQ(*only(replies).model.whole, (Vector{0.5, 0}));
}

TEST(Server, KeepsOlderVersionsIntactWhileSomebodyHoldsThem) {
  Server server = make_server({.staleness_max = 10});
  Replies replies;
  start(server, 2, replies);
  const std::shared_ptr<const Vector> held = replies.begin()->model.whole;
  for (int i = 1; i <= 5; ++i) {
    replies.clear();
    Push push = push_of(1, i, i - 1);
    server.receive(push, replies);
  }
  EXPECT_EQ(*held, (Vector{1, 1}));
}

TEST(Server, RefusesADuplicateWithoutAnEffect) {
  Server server = make_server({});
  Replies replies;
  start(server, 1, replies);
  Push push = push_of(0, 1, 0), again = push_of(0, 1, 0);
  server.receive(push, replies);
  const Vector x = server.iterate();
  replies.clear();
  server.receive(again, replies);
  EXPECT_EQ(only(replies).refusal, Refusal::duplicate);
  EXPECT_EQ(server.iterate(), x);
  EXPECT_EQ(server.ledger().refused[static_cast<int>(Refusal::duplicate)], 1);
  EXPECT_TRUE(server.ledger().balanced());
}

// The answer was lost: the worker sends its push again, and says so.
TEST(Server, AnswersARepeatedPushOnceMoreWithoutAnEffect) {
  Server server = make_server({});
  Replies replies;
  start(server, 1, replies);
  Push push = push_of(0, 1, 0), again = push_of(0, 1, 0);
  server.receive(push, replies);
  const Vector x = server.iterate();
  replies.clear();
  again.repeated = true;
  server.receive(again, replies);
  EXPECT_EQ(only(replies).verdict, Verdict::accepted);
  EXPECT_EQ(only(replies).sequence, 1);
  EXPECT_EQ(*only(replies).model.whole, x);
  EXPECT_EQ(server.iterate(), x);
  EXPECT_EQ(server.ledger().refused[static_cast<int>(Refusal::duplicate)], 1);
  EXPECT_TRUE(server.ledger().balanced());
  replies.clear();
  Push next = push_of(0, 2, 1);
  server.receive(next, replies);
  EXPECT_EQ(server.version(), 2);
}

// Of a push that was refused as too old the same samples are computed, also if that was lost.
TEST(Server, RepeatsARefusalToARepeatedPush) {
  Server server = make_server({.staleness_max = 0, .staleness_policy = StalenessPolicy::recompute});
  Replies replies;
  start(server, 2, replies);
  Push fresh = push_of(0, 1, 0), late = push_of(1, 1, 0), again = push_of(1, 1, 0);
  server.receive(fresh, replies);
  replies.clear();
  server.receive(late, replies);
  EXPECT_EQ(only(replies).refusal, Refusal::stale);
  replies.clear();
  again.repeated = true;
  server.receive(again, replies);
  EXPECT_EQ(only(replies).verdict, Verdict::refused);
  EXPECT_EQ(only(replies).refusal, Refusal::stale);
  EXPECT_TRUE(only(replies).has_model);
}

TEST(Server, FencesOffAnEarlierLifeOfAWorker) {
  Server server = make_server({});
  Replies replies;
  start(server, 1, replies);
  server.receive(Pull{.worker = 0, .incarnation = 1}, replies);
  replies.clear();
  Push old = push_of(0, 1, 0);
  server.receive(old, replies);
  EXPECT_EQ(only(replies).refusal, Refusal::fenced);
  EXPECT_EQ(server.version(), 0);
}

TEST(Server, NamesWorkerSequenceAndCoordinateOfAMalformedPush) {
  Server server = make_server({});
  Replies replies;
  start(server, 1, replies);
  replies.clear();
  Push short_push = push_of(0, 3, 0, {1});
  server.receive(short_push, replies);
  EXPECT_EQ(only(replies).detail, "push 3 of worker 0: expected 2 values, got 1");
  replies.clear();
  Push beyond = push_of(0, 4, 0, {1});
  beyond.keys = Keys::only({2});
  server.receive(beyond, replies);
  EXPECT_EQ(only(replies).detail, "push 4 of worker 0: expected coordinates below 2, got 2");
  EXPECT_TRUE(server.ledger().balanced());
}

TEST(Server, AsksOnceMoreForAGradientThatIsNotFiniteThenCallsItDiverged) {
  Server server = make_server({});
  Replies replies;
  start(server, 1, replies);
  replies.clear();
  Push bad = push_of(0, 1, 0, {kInfinity, 0});
  server.receive(bad, replies);
  EXPECT_EQ(only(replies).refusal, Refusal::nonfinite);
  EXPECT_TRUE(only(replies).has_model);
  replies.clear();
  Push worse = push_of(0, 2, 0, {std::nan(""), 0});
  server.receive(worse, replies);
  EXPECT_EQ(server.stop_reason(), StopReason::diverged);
  EXPECT_EQ(server.iterate(), (Vector{1, 1}));
  EXPECT_EQ(server.ledger().refused[static_cast<int>(Refusal::nonfinite)], 2);
}

TEST(Server, KeepsTheLastFiniteModelIfAStepOverflows) {
  Server server = make_server({});
  Replies replies;
  start(server, 1, replies);
  Push push = push_of(0, 1, 0, {-1.7e308, 0});
  server.receive(push, replies);  // x = 8.5e307
  Push again = push_of(0, 2, 1, {-1.7e308, 0}), last = push_of(0, 3, 2, {-1.7e308, 0});
  server.receive(again, replies);  // x = 1.7e308
  server.receive(last, replies);
  EXPECT_EQ(server.stop_reason(), StopReason::diverged);
  EXPECT_EQ(server.version(), 2);
  EXPECT_TRUE(all_finite(server.iterate()));
  EXPECT_TRUE(server.ledger().balanced());
}

// T = 0, m = W = 2: a worker that is ahead waits for the other.
TEST(Server, HoldsAWorkerUntilTheOthersAreOnTime) {
  Server server = make_server({.pushes_per_step = 2, .batch_size = 2, .staleness_max = 0});
  Replies replies;
  start(server, 2, replies);
  replies.clear();
  Push first = push_of(0, 1, 0), second = push_of(1, 1, 0);
  server.receive(first, replies);
  EXPECT_EQ(replies.size(), 0u);
  server.receive(second, replies);
  EXPECT_EQ(replies.size(), 2u);
  for (const Reply& reply : replies) EXPECT_EQ(reply.model.version, 1);
}

TEST(Server, RecomputeRefusesALatePushAndSendsTheModelForTheSameKeys) {
  Server server = make_server({.staleness_max = 1, .staleness_policy = StalenessPolicy::recompute});
  Replies replies;
  start(server, 2, replies);
  for (int i = 1; i <= 2; ++i) {
    Push push = push_of(0, i, i - 1);
    server.receive(push, replies);
  }
  replies.clear();
  Push late = push_of(1, 1, 0, {5});
  late.keys = Keys::only({1});
  late.keys_next = Keys::only({0});
  server.receive(late, replies);
  EXPECT_EQ(only(replies).verdict, Verdict::refused);
  EXPECT_EQ(only(replies).refusal, Refusal::stale);
  EXPECT_EQ(only(replies).model.version, 2);
  EXPECT_EQ(only(replies).model.values, (Vector{server.iterate()[1]}));
}

TEST(Server, AWorkerThatIsGoneHoldsNobodyUp) {
  Server server = make_server({.pushes_per_step = 1, .staleness_max = 0});
  Replies replies;
  start(server, 2, replies);
  EXPECT_EQ(only(replies).worker, 0);  // with T = 0 and m = 1 one gradient is in flight at a time
  replies.clear();
  server.leave(0, replies);
  EXPECT_EQ(only(replies).worker, 1);
}

TEST(Server, AWorkerMayReturnInANewLifeThatCountsFromOne) {
  Server server = make_server({});
  Replies replies;
  start(server, 1, replies);
  Push before = push_of(0, 1, 0);
  server.receive(before, replies);
  server.leave(0, replies);
  replies.clear();
  server.receive(Pull{.worker = 0, .incarnation = 1}, replies);
  EXPECT_EQ(only(replies).model.version, 1);
  replies.clear();
  Push after = push_of(0, 1, 1);
  after.id.incarnation = 1;
  server.receive(after, replies);
  EXPECT_EQ(only(replies).verdict, Verdict::accepted);
  EXPECT_EQ(server.version(), 2);
}

TEST(Server, TakesNoStepWhileAnEvaluationIsDue) {
  Server server(make_dense_state({1, 1}, Zero{}), ConstantStep{.value = 0.5}, {}, {},
                Stopping({.steps = 10}, 1), EvaluationSchedule::every(1));
  Replies replies;
  start(server, 1, replies);
  replies.clear();
  Push push = push_of(0, 1, 0);
  server.receive(push, replies);
  EXPECT_EQ(server.version(), 1);
  EXPECT_TRUE(server.evaluation_due());
  EXPECT_EQ(replies.size(), 0u);
  server.evaluated({.steps = 1}, replies);
  EXPECT_EQ(only(replies).model.version, 1);
}

TEST(Server, TellsEveryWaitingWorkerThatTheRunIsOver) {
  Server server = make_server({.pushes_per_step = 2, .batch_size = 2, .staleness_max = 0},
                              /*steps_max=*/1);
  Replies replies;
  start(server, 2, replies);
  replies.clear();
  Push first = push_of(0, 1, 0), second = push_of(1, 1, 0);
  server.receive(first, replies);
  server.receive(second, replies);
  EXPECT_TRUE(server.evaluation_due());
  server.evaluated({.steps = 1}, replies);
  EXPECT_EQ(server.stop_reason(), StopReason::step_limit);
  EXPECT_EQ(replies.size(), 2u);
  for (const Reply& reply : replies) EXPECT_EQ(reply.verdict, Verdict::stopped);
}

TEST(Server, APushAfterTheEndIsKeptAsPending) {
  Server server = make_server({});
  Replies replies;
  start(server, 1, replies);
  replies.clear();
  server.stop(StopReason::interrupted, replies);
  Push late = push_of(0, 1, 0);
  server.receive(late, replies);
  EXPECT_EQ(only(replies).verdict, Verdict::stopped);
  EXPECT_EQ(server.version(), 0);
  EXPECT_EQ(server.ledger().pending, 1);
  EXPECT_TRUE(server.ledger().balanced());
}

// m = 3, T = 1. After the first step workers 0, 3 and 4 still hold version 0, so three pushes of
// version 1 must wait for theirs, although they came first.
TEST(Server, TakesTheOldestPushesFirstWhateverTheirArrival) {
  Server server = make_server({.pushes_per_step = 3, .batch_size = 3, .staleness_max = 1});
  Replies replies;
  start(server, 5, replies);
  std::int64_t sequence = 0;
  const auto push = [&](int worker, std::int64_t version) {
    Push made = push_of(worker, ++sequence, version);
    server.receive(made, replies);
  };
  for (const int worker : {0, 1, 2}) push(worker, 0);
  EXPECT_EQ(server.version(), 1);
  for (const int worker : {2, 1, 2}) push(worker, 1);
  EXPECT_EQ(server.version(), 1) << "a step now would leave three gradients too old";
  for (const int worker : {0, 3, 4}) push(worker, 0);
  EXPECT_EQ(server.version(), 3);
  EXPECT_EQ(server.staleness().histogram, (std::vector<std::int64_t>{3, 6}));
}

TEST(Server, RefusesAPushComputedBeforeARepeatedPull) {
  Server server = make_server({.staleness_max = 8});
  Replies replies;
  start(server, 2, replies);
  Push other = push_of(1, 1, 0);
  server.receive(other, replies);
  server.receive(Pull{.worker = 0}, replies);  // now it holds version 1
  replies.clear();
  Push before = push_of(0, 1, 0);
  server.receive(before, replies);
  EXPECT_EQ(only(replies).refusal, Refusal::stale);
  EXPECT_EQ(only(replies).model.version, 1);
}

// It may ask for coordinates that the worker has long done with.
TEST(Server, IgnoresAPullFromBeforeALaterPush) {
  Server server = make_server({});
  Replies replies;
  start(server, 1, replies);
  Push push = push_of(0, 1, 0);
  server.receive(push, replies);
  replies.clear();
  server.receive(Pull{.worker = 0}, replies);
  EXPECT_EQ(replies.size(), 0u);
  server.receive(Pull{.worker = 0, .sequence = 1}, replies);
  EXPECT_TRUE(only(replies).has_model);
  EXPECT_EQ(only(replies).sequence, 1);
}

TEST(Server, IgnoresAPullOfAnEarlierLife) {
  Server server = make_server({});
  Replies replies;
  start(server, 1, replies);
  server.receive(Pull{.worker = 0, .incarnation = 2}, replies);
  replies.clear();
  server.receive(Pull{.worker = 0, .incarnation = 1}, replies);
  EXPECT_EQ(replies.size(), 0u);
  Push push = push_of(0, 1, 0);
  push.id.incarnation = 2;
  server.receive(push, replies);
  EXPECT_EQ(only(replies).verdict, Verdict::accepted);
}

TEST(Server, FencesOffAWorkerThatLeftUntilItPulls) {
  Server server = make_server({});
  Replies replies;
  start(server, 1, replies);
  server.leave(0, replies);
  replies.clear();
  Push push = push_of(0, 1, 0);
  server.receive(push, replies);
  EXPECT_EQ(only(replies).refusal, Refusal::fenced);
  EXPECT_EQ(server.version(), 0);
}

TEST(Server, GivesNoModelToAWorkerThatLeftWhileItWasHeld) {
  Server server = make_server({.pushes_per_step = 2, .batch_size = 2, .staleness_max = 0});
  Replies replies;
  start(server, 2, replies);
  replies.clear();
  Push first = push_of(0, 1, 0), second = push_of(1, 1, 0);
  server.receive(first, replies);
  server.leave(0, replies);
  server.receive(second, replies);
  EXPECT_EQ(server.version(), 1);
  EXPECT_EQ(only(replies).worker, 1);
}

TEST(Server, TellsTheWorkerWhoseGradientEndedTheRun) {
  Server server = make_server({});
  Replies replies;
  start(server, 1, replies);
  for (int sequence : {1, 2}) {
    replies.clear();
    Push bad = push_of(0, sequence, 0, {kInfinity, 0});
    server.receive(bad, replies);
  }
  EXPECT_EQ(only(replies).worker, 0);
  EXPECT_EQ(only(replies).verdict, Verdict::stopped);
}

TEST(Server, RefusesKeysThatTheModelDoesNotHave) {
  Server server = make_server({});
  Replies replies;
  server.receive(Pull{.worker = 0, .keys = Keys::only({7})}, replies);
  EXPECT_EQ(only(replies).detail, "pull of worker 0: expected coordinates below 2, got 7");
}

// Worker 1 has not come yet. Without the rule worker 0 would make the step alone.
TEST(Server, SynchronousStepsHaveOnePushOfEachWorker) {
  Server server = make_server(
      {.pushes_per_step = 2, .batch_size = 2, .staleness_max = 0, .one_push_a_worker = true});
  Replies replies;
  start(server, 1, replies);
  replies.clear();
  Push push = push_of(0, 1, 0);
  server.receive(push, replies);
  EXPECT_EQ(replies.size(), 0u) << "worker 0 waits for the step";
  server.receive(Pull{.worker = 1}, replies);
  EXPECT_EQ(only(replies).worker, 1);
  replies.clear();
  Push other = push_of(1, 1, 0);
  server.receive(other, replies);
  EXPECT_EQ(server.version(), 1);
  EXPECT_EQ(replies.size(), 2u);
}

// Remembers the staleness it was asked for.
struct RecordingStep {
  static constexpr std::string_view name = "recording";
  static constexpr std::string_view formula = "eta_k = 1 / (1 + staleness)";
  static constexpr auto parameters() { return std::tuple(); }
  double eta(const StepContext& context) const {
    return 1 / (1 + static_cast<double>(context.staleness));
  }
};

TEST(Server, TellsTheStepSizeTheAgeOfItsOldestPush) {
  Server server(make_dense_state({0}, Zero{}), RecordingStep{}, {}, {.staleness_max = 9},
                Stopping({.steps = 100}, 1), EvaluationSchedule::every(1000000));
  Replies replies;
  start(server, 2, replies);
  for (int i = 1; i <= 3; ++i) {
    Push push = push_of(0, i, i - 1, {-1});
    server.receive(push, replies);
  }
  EXPECT_DOUBLE_EQ(server.iterate()[0], 3);  // fresh: steps of 1
  Push old = push_of(1, 1, 0, {-1});
  server.receive(old, replies);
  EXPECT_DOUBLE_EQ(server.iterate()[0], 3.25);  // three steps old: 1 / (1 + 3)
}

// After an accepted push the worker's earlier refusals are forgotten: it is no longer waited for.
TEST(Server, HoldsForARefusedWorkerOnlyUntilItsPushIsIn) {
  Server server = make_server({.staleness_max = 0, .staleness_policy = StalenessPolicy::recompute});
  Replies replies;
  start(server, 2, replies);
  std::int64_t sequence = 0, version = 0;
  const auto fast_step = [&] {
    Push push = push_of(0, ++sequence, version);
    server.receive(push, replies);
    version = server.version();
  };
  for (int refusals = 1; refusals <= 2; ++refusals) {
    fast_step();
    Push late = push_of(1, refusals, refusals - 1);
    server.receive(late, replies);
  }
  EXPECT_EQ(server.ledger().refused[static_cast<int>(Refusal::stale)], 2);
  const std::int64_t before = server.version();
  fast_step();  // refused: worker 1 is waited for
  EXPECT_EQ(server.version(), before);
  Push in_time = push_of(1, 3, before);
  server.receive(in_time, replies);
  EXPECT_EQ(server.version(), before + 1);
  // Worker 0 was refused at `before`, and is late with that model again.
  Push late = push_of(0, ++sequence, before), fresh = push_of(0, ++sequence, before + 1);
  server.receive(late, replies);
  server.receive(fresh, replies);
  EXPECT_EQ(server.version(), before + 2) << "nobody is waited for any more";
}

}  // namespace
}  // namespace asynprox
