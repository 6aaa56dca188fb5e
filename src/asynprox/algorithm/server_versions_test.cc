// Which version a worker gets or may have: who computes a step, and where somebody else decides on
// delays.
#include <gtest/gtest.h>

#include <algorithm>

#include "asynprox/algorithm/server.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/step_sizes/all.h"

namespace asynprox {
namespace {

Push push_of(int worker, std::int64_t sequence, std::int64_t version) {
  Push push;
  push.id = {worker, 0, sequence};
  push.version = version;
  push.num_samples = 1;
  push.values = {1, 2};
  return push;
}

TEST(ServerOfGivenDelays, TakesPushesOfAnyVersionWithinTheBound) {
  Server server(make_dense_state({1, 1}, Zero{}), ConstantStep{.value = 0.5}, {},
                {.staleness_max = 2, .any_version = true}, Stopping({.steps = 1000}, 1),
                EvaluationSchedule::every(1000000));
  Replies replies;
  for (int worker = 0; worker < 3; ++worker) server.receive(Pull{.worker = worker}, replies);
  server.evaluated({}, replies);
  EXPECT_EQ(replies.size(), 3u);
  // Every worker holds the first model for ever, and nobody waits for it.
  for (std::int64_t k = 0; k < 6; ++k) {
    replies.clear();
    Push push = push_of(0, k + 1, std::max<std::int64_t>(0, k - 2));
    server.receive(push, replies);
    EXPECT_EQ(replies.begin()->verdict, Verdict::accepted);
    EXPECT_EQ(replies.begin()->model.version, k + 1);
  }
  EXPECT_EQ(server.staleness().histogram, (std::vector<std::int64_t>{1, 1, 4}));
  for (const std::int64_t version : {3, 7}) {  // too old, and not there yet
    replies.clear();
    Push push = push_of(1, version, version);
    server.receive(push, replies);
    EXPECT_EQ(replies.begin()->refusal, Refusal::stale) << version;
  }
  EXPECT_EQ(server.version(), 6);
}

TEST(Server, GivesTheWorkerThatComputesAStepTheModelAfterIt) {
  Server server(make_dense_state({1, 1}, Zero{}), ConstantStep{.value = 0.5}, {}, {},
                Stopping({.steps = 1000}, 1), EvaluationSchedule::every(1000000));
  Replies replies;
  server.receive(Pull{.worker = 0}, replies);
  server.evaluated({}, replies);
  Push push = push_of(0, 1, 0);
  server.accept(push, {}, replies);
  server.begin_step(0);
  server.accept(Pull{.worker = 1}, replies);
  replies.clear();
  server.hand_out_models(replies);
  ASSERT_EQ(replies.size(), 1u) << "others need not wait for the step";
  EXPECT_EQ(replies.begin()->worker, 1);
  EXPECT_EQ(replies.begin()->model.version, 0);
  replies.clear();
  server.compute();
  server.finish_step(replies);
  server.hand_out_models(replies);
  ASSERT_EQ(replies.size(), 1u);
  EXPECT_EQ(replies.begin()->worker, 0);
  EXPECT_EQ(replies.begin()->model.version, 1);
}

}  // namespace
}  // namespace asynprox
