#include "asynprox/transports/signs_of_life.h"

#include <gtest/gtest.h>

namespace asynprox {
namespace {

TEST(SignsOfLife, CountSilenceFromTheLastSign) {
  SignsOfLife signs(2, /*deadline=*/10, /*now=*/0);
  for (double now = 0; now <= 12; now += 1) {
    signs.listen(now);
    if (now <= 5) signs.heard(0, now);
    signs.heard(1, now);
  }
  EXPECT_EQ(signs.silence(0, 12), 7);
  EXPECT_FALSE(signs.overdue(0, 15));
  EXPECT_TRUE(signs.overdue(0, 15.5));
  EXPECT_EQ(signs.silence(1, 12), 0);
}

// A server that evaluates for a minute, or a process that was stopped, blames nobody for it.
TEST(SignsOfLife, DoNotCountTimeInWhichNobodyListened) {
  SignsOfLife signs(1, /*deadline=*/10, /*now=*/0);
  signs.listen(0);
  signs.listen(100);
  EXPECT_EQ(signs.silence(0, 100), 0);
  EXPECT_FALSE(signs.overdue(0, 110));
  for (double now = 101; now <= 111; now += 1) signs.listen(now);
  EXPECT_TRUE(signs.overdue(0, 111));
}

TEST(SignsOfLife, ComeSeveralTimesPerDeadline) {
  for (const double deadline : {0.1, 1.0, 60.0, 3600.0}) {
    EXPECT_LE(SignsOfLife::interval(deadline), deadline / 4);
    EXPECT_GT(SignsOfLife::interval(deadline), 0);
  }
  EXPECT_LE(SignsOfLife::interval(1e9), 5);
}

}  // namespace
}  // namespace asynprox
