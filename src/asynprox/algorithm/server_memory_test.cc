// The server where workers remember samples of their own, and where evaluations judge its steps.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "asynprox/algorithm/server.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/sampling/sampling.h"
#include "asynprox/step_sizes/all.h"

namespace asynprox {
namespace {

// x in R^2 from (1, 1), h = zero; L is such that eta is the boldness of the steps.
Server make_server(const ServerOptions& options, std::int64_t evaluate_every = 1000000) {
  return Server(make_dense_state({1, 1}, Zero{}), AutoStep{},
                {.lipschitz = 0.5, .lipschitz_sample_max = 0.5, .judged = true}, options,
                Stopping({.steps = 1000}, 1), EvaluationSchedule::every(evaluate_every));
}

Evaluation of(double objective, std::int64_t steps = 0) {
  Evaluation evaluation;
  evaluation.objective = objective;
  evaluation.steps = steps;
  evaluation.epochs = static_cast<double>(steps);
  return evaluation;
}

void start(Server& server, int workers, Replies& replies, double objective = 1) {
  for (int worker = 0; worker < workers; ++worker) server.receive(Pull{.worker = worker}, replies);
  server.evaluated(of(objective), replies);
}

Push push_of(int worker, std::int64_t sequence, std::int64_t version, Vector values = {1, 2},
             std::int64_t round = 0) {
  Push push;
  push.id = {worker, 0, sequence};
  push.version = version;
  push.num_samples = 1;
  push.values = std::move(values);
  push.share.round = round;
  return push;
}

// By worker; of = 0 where nothing was sent.
std::vector<Share> shares_of(Replies& replies, int workers) {
  std::vector<Share> shares(workers, Share{.of = 0});
  for (const Reply& reply : replies) shares[reply.worker] = reply.share;
  return shares;
}

// Every sample of n belongs to exactly one of those that have a share.
void expect_covered(const std::vector<Share>& shares, std::size_t n) {
  std::vector<int> owners(n);
  for (const Share& share : shares) {
    if (share.of == 0) continue;
    const SampleRange range = SampleRange::part(n, share.number, share.of);
    for (std::size_t i = range.first; i < range.last; ++i) ++owners[i];
  }
  EXPECT_EQ(owners, std::vector<int>(n, 1));
}

const ServerOptions kDealing = {.staleness_max = 10, .deals_samples = true, .workers = 3};

TEST(ServerMemory, SharesCoverAllSamplesWhoeverIsThere) {
  Server server = make_server(kDealing);
  Replies replies;
  start(server, 3, replies);
  expect_covered(shares_of(replies, 3), 100);
  replies.clear();
  server.leave(1, replies);
  for (const int worker : {0, 2}) {
    Push push = push_of(worker, 1, 0);
    server.receive(push, replies);
  }
  const std::vector<Share> two = shares_of(replies, 3);
  EXPECT_EQ(two[0].of, 2);
  EXPECT_EQ(two[1].of, 0);
  EXPECT_EQ(two[2].round, 1);
  expect_covered(two, 101);

  replies.clear();
  server.receive(Pull{.worker = 1, .incarnation = 1}, replies);
  for (const int worker : {0, 2}) {
    Push push = push_of(worker, 2, 0, {1, 2}, /*round=*/1);
    server.receive(push, replies);
  }
  const std::vector<Share> three = shares_of(replies, 3);
  for (const Share& share : three) {
    EXPECT_EQ(share.of, 3);
    EXPECT_EQ(share.round, 2);
  }
  expect_covered(three, 101);
}

// It died and came back before anybody knew: what it remembered is lost all the same.
TEST(ServerMemory, ANewLifeDealsAnew) {
  Server server = make_server(kDealing);
  Replies replies;
  start(server, 3, replies);
  replies.clear();
  server.receive(Pull{.worker = 1, .incarnation = 1}, replies);
  ASSERT_EQ(replies.size(), 1u);
  EXPECT_EQ(replies.begin()->share.round, 1);
  EXPECT_EQ(replies.begin()->share.of, 3);
}

// The reply that told of the new round was lost: the worker still has its old share, and will need
// all coordinates when it hears of the new one.
TEST(ServerMemory, AWorkerHasHeardOfARoundOnceItSaysSo) {
  Server server(make_lazy_state({1, 1}, Zero{}), AutoStep{},
                {.lipschitz = 0.5, .lipschitz_sample_max = 0.5, .judged = true}, kDealing,
                Stopping({.steps = 1000}, 1), EvaluationSchedule::every(1000000));
  Replies replies;
  for (int worker = 0; worker < 3; ++worker)
    server.receive(Pull{.worker = worker, .keys = Keys::only({0})}, replies);
  server.evaluated(of(1), replies);
  server.leave(1, replies);
  const auto reply_to = [&](std::int64_t sequence, std::int64_t round, bool repeated) {
    Push push = push_of(0, sequence, 0, {1}, round);
    push.keys = push.keys_next = Keys::only({0});
    push.repeated = repeated;
    replies.clear();
    server.receive(push, replies);
    EXPECT_EQ(replies.size(), 1u);
    EXPECT_EQ(replies.begin()->share.round, 1);
    return *replies.begin();
  };
  EXPECT_TRUE(reply_to(1, 0, /*repeated=*/false).model.keys.all);
  EXPECT_TRUE(reply_to(1, 0, /*repeated=*/true).model.keys.all);
  EXPECT_TRUE(reply_to(1, 0, /*repeated=*/true).model.keys.all);
  EXPECT_EQ(reply_to(2, 1, /*repeated=*/false).model.keys.list, std::vector<Key>{0});

  replies.clear();
  server.receive(Pull{.worker = 2, .incarnation = 1, .keys = Keys::only({1})}, replies);
  server.receive(Pull{.worker = 2, .incarnation = 1, .keys = Keys::only({1})}, replies);
  ASSERT_EQ(replies.size(), 2u);
  for (const Reply& reply : replies) EXPECT_TRUE(reply.model.keys.all);
}

TEST(ServerMemory, RefusesAPushOfAnEarlierRoundWithoutAnEffect) {
  Server server = make_server(kDealing);
  Replies replies;
  start(server, 3, replies);
  server.leave(1, replies);
  replies.clear();
  Push old = push_of(0, 1, 0);
  server.receive(old, replies);
  EXPECT_EQ(server.version(), 0);
  EXPECT_EQ(server.iterate(), (Vector{1, 1}));
  ASSERT_EQ(replies.size(), 1u);
  const Reply& reply = *replies.begin();
  EXPECT_EQ(reply.refusal, Refusal::stale);
  EXPECT_TRUE(reply.has_model);
  EXPECT_EQ(reply.share.round, 1);
  EXPECT_EQ(server.ledger().refused[static_cast<int>(Refusal::stale)], 1);
  Push fresh = push_of(0, 2, 0, {1, 2}, /*round=*/1);
  server.receive(fresh, replies);
  EXPECT_EQ(server.version(), 1);
}

// It has to look at all its samples, whatever it had asked for.
TEST(ServerMemory, SendsTheWholeModelWithANewShare) {
  Server server = make_server(kDealing);
  Replies replies;
  start(server, 3, replies);
  server.leave(1, replies);
  replies.clear();
  Push old = push_of(0, 1, 0, {3});
  old.keys = Keys::only({1});
  server.receive(old, replies);
  ASSERT_EQ(replies.size(), 1u);
  EXPECT_TRUE(replies.begin()->model.keys.all);
  EXPECT_EQ(*replies.begin()->model.whole, (Vector{1, 1}));
}

TEST(ServerMemory, GoesBackToTheBestModelOnARise) {
  Server server = make_server({.bold = true}, /*evaluate_every=*/1);
  Replies replies;
  start(server, 1, replies, /*objective=*/3);
  Push push = push_of(0, 1, 0);
  server.receive(push, replies);  // eta = 1
  EXPECT_EQ(server.iterate(), (Vector{0, -1}));
  server.evaluated(of(2, 1), replies);
  EXPECT_FALSE(server.replaced());
  Push second = push_of(0, 2, 1);
  server.receive(second, replies);  // eta = 2
  EXPECT_EQ(server.iterate(), (Vector{-2, -5}));
  replies.clear();
  server.evaluated(of(2.5, 2), replies);
  EXPECT_TRUE(server.replaced());
  EXPECT_EQ(server.iterate(), (Vector{0, -1}));
  EXPECT_EQ(server.version(), 2);
  ASSERT_EQ(replies.size(), 1u);
  EXPECT_EQ(*replies.begin()->model.whole, (Vector{0, -1}));
  Push third = push_of(0, 3, 2);
  server.receive(third, replies);  // eta = 1 again
  EXPECT_EQ(server.iterate(), (Vector{-1, -3}));
}

TEST(ServerMemory, GoesOnFromABetterModelThatASearchFound) {
  Server server = make_server({.bold = true}, /*evaluate_every=*/1);
  Replies replies;
  start(server, 1, replies, 3);
  Push push = push_of(0, 1, 0);
  server.receive(push, replies);
  const Vector better = {5, 6};
  server.evaluated(of(2, 1), replies, &better);
  EXPECT_TRUE(server.replaced());
  EXPECT_EQ(server.iterate(), better);
  Push second = push_of(0, 2, 1);
  server.receive(second, replies);
  server.evaluated(of(4, 2), replies);
  EXPECT_EQ(server.iterate(), better) << "the best so far";
}

// 1.7e308 twice is beyond doubles.
void overflow_at(Server& server, std::int64_t k, std::int64_t& sequence, std::int64_t round) {
  Replies replies;
  for (int i = 0; i < 2; ++i) {
    Push push = push_of(0, ++sequence, k + i, {-1.7e308, 0}, round);
    server.receive(push, replies);
  }
}

TEST(ServerMemory, AnOverflowRestoresTheBestModelAndShortensSteps) {
  Server server = make_server({.bold = true, .deals_samples = true, .workers = 1});
  Replies replies;
  start(server, 1, replies);
  std::int64_t sequence = 0;
  overflow_at(server, 0, sequence, 0);
  EXPECT_FALSE(server.stopped());
  EXPECT_EQ(server.iterate(), (Vector{1, 1}));
  EXPECT_EQ(server.version(), 2);
  EXPECT_TRUE(server.ledger().balanced());
  // What was remembered is void: this one brings what the worker knew before.
  Push old = push_of(0, ++sequence, 2);
  server.receive(old, replies);
  EXPECT_EQ(server.version(), 2);
  Push fresh = push_of(0, ++sequence, 2, {1, 2}, /*round=*/1);
  server.receive(fresh, replies);
  EXPECT_EQ(server.iterate(), (Vector{0.75, 0.5}));  // eta = 1 / 4
}

TEST(ServerMemory, GivesUpWhereShorterStepsDoNotHelp) {
  Server server = make_server({.bold = true});
  Replies replies;
  start(server, 1, replies);
  for (std::int64_t sequence = 1; sequence <= 100 && !server.stopped(); ++sequence) {
    Push push =
        push_of(0, sequence, server.version(), {std::numeric_limits<double>::infinity(), 0});
    server.receive(push, replies);
  }
  EXPECT_EQ(server.stop_reason(), StopReason::diverged);
  EXPECT_EQ(server.iterate(), (Vector{1, 1}));
  EXPECT_EQ(server.ledger().refused[static_cast<int>(Refusal::nonfinite)], 42);
}

// A runtime computes a step beside other calls: nothing may change the model meanwhile.
TEST(ServerMemory, GoesBackOnlyAfterTheStepUnderWay) {
  Server server = make_server({.staleness_max = 10, .bold = true});
  Replies replies;
  start(server, 2, replies);
  Push push = push_of(0, 1, 0);
  ASSERT_FALSE(server.accept(push, server.check(push), replies));
  server.begin_step();
  for (std::int64_t sequence = 1; sequence <= 2; ++sequence) {
    Push bad = push_of(1, sequence, 0, {std::numeric_limits<double>::infinity(), 0});
    EXPECT_EQ(server.accept(bad, server.check(bad), replies), Refusal::nonfinite);
    server.hand_out_models(replies);
  }
  EXPECT_EQ(server.iterate(), (Vector{1, 1}));
  server.compute();
  server.finish_step(replies);
  EXPECT_EQ(server.iterate(), (Vector{1, 1})) << "the step that was under way is undone as well";
  EXPECT_EQ(server.version(), 1);
  EXPECT_FALSE(server.stopped());
}

// Two workers, sixteen pushes per pass; the objective is what the test says.
TEST(ServerGrowth, NoiseMakesStepsLargerUpToAPass) {
  Server server(make_dense_state({1, 1}, Zero{}), AutoStep{},
                {.lipschitz = 0.5, .lipschitz_sample_max = 0.5, .judged = true},
                {.pushes_per_step = 2,
                 .batch_size = 2,
                 .staleness_max = 3,
                 .bold = true,
                 .pushes_per_pass = 16,
                 .pushes_max = 16},
                Stopping({.epochs = 5}, /*steps_per_epoch=*/8), EvaluationSchedule::every(1));
  Replies replies;
  start(server, 2, replies);
  std::vector<std::int64_t> sequences(2), versions(2);
  int passes = 0;
  const auto pass = [&](double objective) {
    int pushes = 0;
    while (!server.evaluation_due() && pushes < 100) {
      const int worker = pushes++ % 2;
      Push push = push_of(worker, ++sequences[worker], versions[worker], {1, 0});
      replies.clear();
      server.receive(push, replies);
      for (const Reply& reply : replies) versions[reply.worker] = reply.model.version;
    }
    replies.clear();
    Evaluation evaluation = of(objective, server.version());
    evaluation.epochs = ++passes;
    server.evaluated(evaluation, replies);
    for (const Reply& reply : replies)
      if (reply.has_model) versions[reply.worker] = reply.model.version;
    return pushes;
  };
  EXPECT_EQ(pass(0.9), 16);
  EXPECT_EQ(server.version(), 8);
  EXPECT_EQ(server.pushes_per_step(), 2);
  EXPECT_EQ(pass(0.95), 16);
  EXPECT_EQ(server.pushes_per_step(), 8) << "a rise that may be noise";
  EXPECT_EQ(pass(0.95), 16);
  EXPECT_EQ(server.version(), 18) << "two steps to a pass";
  EXPECT_EQ(server.pushes_per_step(), 16);
  EXPECT_EQ(pass(0.95), 16);
  EXPECT_EQ(server.version(), 19);
  EXPECT_EQ(server.pushes_per_step(), 16) << "there is no more than a pass";
  EXPECT_EQ(pass(0.8), 16);
  EXPECT_EQ(server.stop_reason(), StopReason::epoch_limit) << "after five passes";
  EXPECT_EQ(server.version(), 20);
  EXPECT_EQ(server.ledger().applied, 80);
  // Eight steps of 1 to the first evaluation that fell; then one of 0.49, whatever the batch is.
  EXPECT_NEAR(server.iterate()[0], 1 - 8 - 0.49, 1e-12);
}

TEST(ServerGrowth, EndsWhereMorePushesCannotWait) {
  Server server = make_server({.pushes_per_step = 1,
                               .staleness_max = 3,
                               .bold = true,
                               .pushes_per_pass = 16,
                               .pushes_max = 6});
  Replies replies;
  start(server, 1, replies);
  std::int64_t sequence = 0, version = 0;
  for (int pass = 0; pass < 4; ++pass) {
    while (!server.evaluation_due() && sequence < 1000) {
      Push push = push_of(0, ++sequence, version);
      replies.clear();
      server.receive(push, replies);
      for (const Reply& reply : replies) version = reply.model.version;
    }
    replies.clear();
    server.evaluated(of(1.1, server.version()), replies);
    for (const Reply& reply : replies) version = reply.model.version;
  }
  EXPECT_EQ(server.pushes_per_step(), 4);
}

TEST(ServerMemory, AnInfiniteFirstEvaluationEndsTheRunWithTheModelAsItIs) {
  Server server = make_server({.staleness_max = 3, .bold = true});
  Replies replies;
  start(server, 1, replies, std::numeric_limits<double>::infinity());
  EXPECT_EQ(server.stop_reason(), StopReason::diverged);
  EXPECT_EQ(server.iterate(), Vector({1, 1}));
}

TEST(ServerMemory, AnEvaluationThatComesAfterTheEndChangesNothing) {
  Server server = make_server({.staleness_max = 3, .bold = true});
  Replies replies;
  server.receive(Pull{.worker = 0}, replies);
  server.stop(StopReason::interrupted, replies);
  const Vector better = {5, 5};
  server.evaluated(of(1), replies, &better);
  EXPECT_EQ(server.iterate(), Vector({1, 1}));
  EXPECT_FALSE(server.replaced());
}

// An evaluation reads the model beside other calls.
TEST(ServerMemory, GoesBackOnlyAfterTheEvaluationUnderWay) {
  Server server = make_server({.staleness_max = 3, .bold = true}, /*evaluate_every=*/1);
  Replies replies;
  start(server, 2, replies);
  const auto break_push = [&](std::int64_t sequence) {
    Push bad = push_of(1, sequence, 0, {std::numeric_limits<double>::infinity(), 0});
    server.receive(bad, replies);
  };
  break_push(1);
  Push good = push_of(0, 1, 0);
  server.receive(good, replies);
  ASSERT_TRUE(server.evaluation_due());
  ASSERT_EQ(server.iterate(), (Vector{0, -1}));
  break_push(2);
  EXPECT_EQ(server.iterate(), (Vector{0, -1})) << "the one that is being evaluated";
  server.evaluated(of(2, 1), replies);
  EXPECT_EQ(server.iterate(), (Vector{1, 1})) << "it rose";
  Push next = push_of(0, 2, 1);
  server.receive(next, replies);
  EXPECT_EQ(server.iterate(), (Vector{1 - 0.125, 1 - 0.25}))
      << "half for the rise, a quarter of it";
}

}  // namespace
}  // namespace asynprox
