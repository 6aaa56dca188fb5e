#include "asynprox/base/random.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace asynprox {
namespace {

TEST(Random, GivesTheKnownSequenceOfSplitMix64) {
  const Random random(1234567);
  EXPECT_EQ(random.at(0), 6457827717110365317ULL);
  EXPECT_EQ(random.at(1), 3203168211198807973ULL);
  EXPECT_EQ(random.at(2), 9817491932198370423ULL);
  EXPECT_EQ(random.at(3), 4593380528125082431ULL);
}

TEST(Random, StreamsDifferAndAreReproducible) {
  const Random random(1);
  std::set<std::uint64_t> seen;
  for (std::uint64_t stream = 0; stream < 1000; ++stream)
    for (std::uint64_t i = 0; i < 10; ++i) seen.insert(random.stream(stream).at(i));
  EXPECT_EQ(seen.size(), 10000u);
  EXPECT_EQ(random.stream(7).at(3), Random(1).stream(7).at(3));
}

// The largest deviation of ten cells with 100,000 draws: 5 standard deviations are 474.
TEST(Random, IndicesAreUniform) {
  const Random random(42);
  std::array<int, 10> counts{};
  for (std::uint64_t i = 0; i < 100000; ++i) ++counts[random.index_at(i, counts.size())];
  for (const int count : counts) EXPECT_NEAR(count, 10000, 474);
}

TEST(Random, IndicesStayInRangeForEverySize) {
  const Random random(3);
  for (const std::uint64_t size : {1ULL, 2ULL, 3ULL, 1ULL << 32, ~0ULL})
    for (std::uint64_t i = 0; i < 100; ++i) EXPECT_LT(random.index_at(i, size), size);
}

// The mean of 100,000 uniforms has a standard deviation of 9.1e-4.
TEST(Random, UniformsLieInTheUnitIntervalWithMeanOneHalf) {
  const Random random(5);
  double sum = 0;
  for (std::uint64_t i = 0; i < 100000; ++i) {
    const double u = random.uniform_at(i);
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
  }
  EXPECT_NEAR(sum / 100000, 0.5, 4.6e-3);
}

}  // namespace
}  // namespace asynprox
