// What every compute time must satisfy.
#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/simulator/compute_times/all.h"

namespace asynprox {
namespace {

constexpr int kDraws = 200'000;

TEST(ComputeTimeLaws, AreNeverNegativeAndHaveTheMeanOfTheRate) {
  int members = 0;
  for_each_member(AllComputeTimes{}, [&]<class Time>(std::type_identity<Time>) {
    const AnyComputeTime time = Time{.rate = 1000};
    double sum = 0, squares = 0;
    for (int i = 0; i < kDraws; ++i) {
      const double seconds = time.seconds(50, Random(7).stream(i));
      ASSERT_GE(seconds, 0) << Time::name;
      ASSERT_TRUE(std::isfinite(seconds)) << Time::name;
      sum += seconds;
      squares += seconds * seconds;
    }
    const double mean = sum / kDraws;
    const double deviation = std::sqrt(squares / kDraws - mean * mean + 1e-18);
    EXPECT_NEAR(mean, 0.05, 5 * deviation / std::sqrt(kDraws) + 1e-12) << Time::name;
    ++members;
  });
  EXPECT_EQ(members, static_cast<int>(AllComputeTimes::size));
}

TEST(ComputeTimeLaws, AreTheSameForTheSameStream) {
  for_each_member(AllComputeTimes{}, [&]<class Time>(std::type_identity<Time>) {
    const AnyComputeTime time = Time{};
    const Random random = Random(3).stream(5);
    EXPECT_EQ(time.seconds(128, random), time.seconds(128, random)) << Time::name;
    EXPECT_EQ(time.seconds(256, random), 2 * time.seconds(128, random)) << Time::name;
  });
}

TEST(LognormalTime, HasTheSpreadThatItIsGiven) {
  const AnyComputeTime time = LognormalTime{.rate = 1, .cv = 0.5};
  double sum = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double seconds = time.seconds(1, Random(11).stream(i));
    sum += seconds;
    squares += seconds * seconds;
  }
  const double mean = sum / kDraws;
  EXPECT_NEAR(std::sqrt(squares / kDraws - mean * mean) / mean, 0.5, 0.01);
}

TEST(AnyComputeTime, RefusesARateThatIsNotPositive) {
  EXPECT_THROW(AnyComputeTime(ConstantTime{.rate = 0}), ContractError);
  EXPECT_THROW(make_compute_time(parse_spec("lognormal:1000,cv=-1")), ContractError);
  EXPECT_THROW(make_compute_time(parse_spec("gamma:1000")), ContractError);
}

}  // namespace
}  // namespace asynprox
