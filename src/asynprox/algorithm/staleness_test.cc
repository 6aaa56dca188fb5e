#include "asynprox/algorithm/staleness.h"

#include <gtest/gtest.h>

#include <array>

namespace asynprox {
namespace {

// m = 2, T = 1, three gradients at version 0: the third can only be applied at step 1.
TEST(InFlight, CountsPlacesInTheQueueAgainstTheBound) {
  InFlight flight(/*pushes_per_step=*/2, /*staleness_max=*/1);
  for (int i = 0; i < 4; ++i) flight.add(0);
  EXPECT_TRUE(flight.on_time(0));   // steps 0 and 1: staleness 0, 0, 1, 1
  EXPECT_FALSE(flight.on_time(1));  // steps 1 and 2: staleness 1, 1, 2, 2
  flight.remove(0);
  flight.remove(0);
  EXPECT_TRUE(flight.on_time(1));
  EXPECT_FALSE(flight.on_time(2));
}

TEST(InFlight, HasRoomForAsManyStepsAsTheBoundAllows) {
  InFlight flight(/*pushes_per_step=*/2, /*staleness_max=*/1);
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(flight.has_room(/*step_under_way=*/false)) << i;
    flight.add(0);
  }
  EXPECT_FALSE(flight.has_room(/*step_under_way=*/false));
  flight.remove(0);
  EXPECT_TRUE(flight.has_room(/*step_under_way=*/false));
  EXPECT_FALSE(flight.has_room(/*step_under_way=*/true));
}

// Pending ones wait for the oldest: with T = 0 and m = 1 a second gradient at the same version can
// never be applied.
TEST(InFlight, QuestionsChangeNothing) {
  InFlight flight(/*pushes_per_step=*/1, /*staleness_max=*/0);
  flight.add(3);
  EXPECT_FALSE(flight.on_time_with(3, /*k=*/3));
  EXPECT_TRUE(flight.on_time(3));
  EXPECT_TRUE(flight.on_time_without(std::array<std::int64_t, 1>{3}, /*k=*/4));
  EXPECT_EQ(flight.size(), 1);
}

TEST(StalenessStatistics, KeepCountsMeanAndMax) {
  StalenessStatistics statistics;
  EXPECT_EQ(statistics.mean(), 0);
  for (const int staleness : {0, 2, 2, 4}) statistics.add(staleness);
  EXPECT_EQ(statistics.max, 4);
  EXPECT_EQ(statistics.mean(), 2);
  EXPECT_EQ(statistics.histogram, (std::vector<std::int64_t>{1, 0, 2, 0, 1}));
}

TEST(ExpectedStaleness, IsTheTurnsOfTheOthersRoundedUpToSteps) {
  EXPECT_EQ(expected_staleness(/*workers=*/1, /*pushes_per_step=*/1), 0);
  EXPECT_EQ(expected_staleness(8, 8), 1);
  EXPECT_EQ(expected_staleness(8, 1), 7);
  EXPECT_EQ(expected_staleness(8, 3), 3);
}

}  // namespace
}  // namespace asynprox
