#include "asynprox/runtimes/pacer.h"

#include <gtest/gtest.h>

#include <thread>

namespace asynprox {
namespace {

constexpr double kYear = 3e7;

TEST(Pacer, GivesSlowWorkersMoreTime) {
  const Pacer pacer(100, {1, 0.25});
  EXPECT_DOUBLE_EQ(pacer.seconds_for(0, 50), 0.5);
  EXPECT_DOUBLE_EQ(pacer.seconds_for(1, 50), 2);
  EXPECT_DOUBLE_EQ(pacer.seconds_for(7, 50), 0.5) << "not listed";
}

TEST(Pacer, WaitsAtLeastAsLongAsItSays) {
  Pacer pacer(1, {});
  const double before = pacer.seconds();
  pacer.wait_until(before + 0.01);
  EXPECT_GE(pacer.seconds(), before + 0.01);
  pacer.wait_until(0);  // is over
}

TEST(Pacer, StandsStillAndGoesOnFromThere) {
  Pacer pacer(1, {});
  pacer.stand_still();
  const double still = pacer.seconds();
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_EQ(pacer.seconds(), still);
  pacer.go_on();
  pacer.wait_until(still + 0.001);
  EXPECT_GE(pacer.seconds(), still + 0.001);
}

TEST(Pacer, WaitsForAClockThatStandsStill) {
  Pacer pacer(1, {});
  pacer.stand_still();
  const double deadline = pacer.seconds() + 0.001;
  double woken = 0;
  std::thread waiting([&] {
    pacer.wait_until(deadline);
    woken = pacer.seconds();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  pacer.go_on();
  waiting.join();
  EXPECT_GE(woken, deadline);
}

// These would last longer than any test.
TEST(Pacer, LetsEverybodyGoAtTheEnd) {
  for (const bool still : {false, true}) {
    Pacer pacer(1, {});
    if (still) pacer.stand_still();
    std::thread a([&] { pacer.wait_until(kYear); }), b([&] { pacer.wait_until(1e300); });
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    pacer.end();
    a.join();
    b.join();
    pacer.wait_until(kYear);
  }
}

}  // namespace
}  // namespace asynprox
