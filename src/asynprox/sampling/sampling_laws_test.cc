// What every sampling rule of the list must satisfy.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "asynprox/base/errors.h"
#include "asynprox/sampling/all.h"

namespace asynprox {
namespace {

constexpr std::size_t kFirst = 5, kLast = 42;

// Curvatures over three decades, and one of nothing.
SamplingSetup setup(std::size_t count, bool distinct) {
  auto curvatures = std::make_shared<Vector>(50);
  for (std::size_t i = 0; i < curvatures->size(); ++i)
    (*curvatures)[i] = i == 7 ? 0 : std::pow(10.0, static_cast<double>(i % 4));
  return {.random = Random(3).stream(1),
          .range = {.first = kFirst, .last = kLast},
          .count = count,
          .distinct = distinct,
          .sample_lipschitz = curvatures};
}

std::vector<AnySampling> all_samplings() {
  std::vector<AnySampling> rules;
  for_each_member(AllSamplings{},
                  [&]<class Rule>(std::type_identity<Rule>) { rules.emplace_back(Rule{}); });
  return rules;
}

// E[sum of weights of sample i in a draw] = count / (samples in the range), for each i.
TEST(SamplingLaws, DrawsAreUnbiased) {
  constexpr int draws = 200'000;
  for (const AnySampling& rule : all_samplings())
    for (const std::size_t count : {1, 10, 60}) {
      SCOPED_TRACE(std::string(rule.name()) + " " + std::to_string(count));
      const auto sampler = rule.sampler(setup(count, false));
      std::vector<SampleIndex> samples;
      Vector weights, sums(kLast), squares(kLast);
      for (int draw = 0; draw < draws / static_cast<int>(count); ++draw) {
        sampler->draw(draw, samples, weights);
        ASSERT_EQ(samples.size(), count);
        for (std::size_t i = 0; i < count; ++i) {
          const double weight = weights.empty() ? 1 : weights[i];
          sums[samples[i]] += weight;
          squares[samples[i]] += weight * weight;
        }
      }
      const double expected = draws / static_cast<double>(count) * static_cast<double>(count) /
                              static_cast<double>(kLast - kFirst);
      for (std::size_t i = kFirst; i < kLast; ++i)
        EXPECT_NEAR(sums[i], expected, 5 * std::sqrt(squares[i]) + 1) << i;
    }
}

TEST(SamplingLaws, DrawsAreOfTheRangeAndTheSameWhenMadeAgain) {
  for (const AnySampling& rule : all_samplings())
    for (const bool distinct : {false, true}) {
      SCOPED_TRACE(rule.name());
      const auto sampler = rule.sampler(setup(10, distinct)),
                 another = rule.sampler(setup(10, distinct));
      std::vector<SampleIndex> a, b;
      Vector u, v;
      for (const std::uint64_t draw : {0, 1, 2, 3, 17, 4, 3, 0}) {
        sampler->draw(draw, a, u);
        for (const SampleIndex sample : a) {
          EXPECT_GE(sample, kFirst);
          EXPECT_LT(sample, kLast);
        }
        another->draw(99, b, v);  // what was drawn before does not matter
        another->draw(draw, b, v);
        EXPECT_EQ(a, b);
        EXPECT_EQ(u, v);
      }
    }
}

TEST(SamplingLaws, DistinctDrawsHaveNoSampleTwiceAndReachAll) {
  for (const AnySampling& rule : all_samplings())
    for (const std::size_t count : {std::size_t{1}, std::size_t{20}, kLast - kFirst}) {
      SCOPED_TRACE(rule.name());
      const auto sampler = rule.sampler(setup(count, true));
      std::vector<SampleIndex> samples;
      Vector weights;
      std::set<SampleIndex> seen;
      for (std::uint64_t draw = 0; draw < 2000; ++draw) {
        sampler->draw(draw, samples, weights);
        const std::set<SampleIndex> distinct(samples.begin(), samples.end());
        EXPECT_EQ(distinct.size(), count);
        seen.insert(distinct.begin(), distinct.end());
      }
      EXPECT_EQ(seen.size(), kLast - kFirst);
    }
}

TEST(Reshuffle, BringsEverySampleOnceAPass) {
  const auto sampler = AnySampling(Reshuffle{}).sampler(setup(1, false));
  std::vector<SampleIndex> samples;
  Vector weights;
  std::vector<SampleIndex> orders[2];
  for (std::uint64_t draw = 0; draw < 2 * (kLast - kFirst); ++draw) {
    sampler->draw(draw, samples, weights);
    orders[draw / (kLast - kFirst)].push_back(samples.front());
  }
  EXPECT_NE(orders[0], orders[1]);
  for (const auto& order : orders)
    EXPECT_EQ(std::set(order.begin(), order.end()).size(), kLast - kFirst);
}

TEST(Importance, WithoutCurvaturesIsRefused) {
  SamplingSetup without = setup(1, false);
  without.sample_lipschitz = nullptr;
  EXPECT_THROW(AnySampling(Importance{}).sampler(without), ContractError);
}

}  // namespace
}  // namespace asynprox
