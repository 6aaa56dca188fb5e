#include "asynprox/run/plan_rules.h"

#include <gtest/gtest.h>

#include "asynprox/algorithm/methods/all.h"

namespace asynprox {
namespace {

const MethodPlan kAsynchronous = {.method = AsynProxSgd{}};
const MethodPlan kOwnSamples = {.method = AsynProxSaga{}};
const MethodPlan kSynchronous = {.method = ProxSgd{}};
const MethodPlan kWholeGradient = {.method = ProxGd{}};

TEST(PlanRules, PipelinedWorkersHaveTwoGradientsOut) {
  EXPECT_EQ(slots_of(3, /*pipelined=*/false), 3);
  EXPECT_EQ(slots_of(3, /*pipelined=*/true), 6);
}

TEST(PlanRules, WorkersNeedASampleEachWhereSamplesAreSharedOut) {
  EXPECT_TRUE(enough_samples(kOwnSamples, 4, 4));
  EXPECT_FALSE(enough_samples(kOwnSamples, 5, 4));
  EXPECT_FALSE(enough_samples(kWholeGradient, 5, 4));
  EXPECT_TRUE(enough_samples(kAsynchronous, 5, 4));
}

TEST(PlanRules, SynchronousStepsHaveAtMostOnePushPerWorker) {
  EXPECT_TRUE(pushes_suit(kAsynchronous, 2, 3));
  EXPECT_TRUE(pushes_suit(kSynchronous, 3, 2));
  EXPECT_FALSE(pushes_suit(kSynchronous, 2, 3));
  EXPECT_TRUE(pushes_suit(kWholeGradient, 2, 2));
  EXPECT_FALSE(pushes_suit(kWholeGradient, 3, 2));
}

TEST(PlanRules, OnlyASynchronousStepOfFewerPushesThanWorkersHasBackups) {
  EXPECT_TRUE(has_backup_workers(kSynchronous, {.workers = 3, .pushes_per_step = 2}));
  EXPECT_FALSE(has_backup_workers(kSynchronous, {.workers = 3, .pushes_per_step = 3}));
  EXPECT_FALSE(has_backup_workers(kAsynchronous, {.workers = 3, .pushes_per_step = 2}));
}

TEST(PlanRules, ABatchOfOwnSamplesTakesNoneTwice) {
  EXPECT_EQ(own_batch_max(10, {.slots = 3, .pushes_per_step = 3}), 9);
  EXPECT_EQ(own_batch_max(10, {.slots = 4, .pushes_per_step = 2}), 4);
}

TEST(PlanRules, PiecesOfAPassAreAMultipleOfThePushesAndHardlyEverEmpty) {
  EXPECT_TRUE(pieces_suit(8, 4, 4));
  EXPECT_FALSE(pieces_suit(12, 4, 4));
  EXPECT_FALSE(pieces_suit(6, 4, 100));
  EXPECT_FALSE(pieces_suit(0, 4, 100));
}

}  // namespace
}  // namespace asynprox
