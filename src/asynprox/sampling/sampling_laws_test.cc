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

// The same with what only draws may have in which a sample can come twice.
std::vector<AnySampling> all_samplings_and_copies() {
  std::vector<AnySampling> rules = all_samplings();
  rules.emplace_back(Passes{.copies = 5});
  return rules;
}

// E[sum of weights of sample i in a draw] = count / (samples in the range), for each i.
TEST(SamplingLaws, DrawsAreUnbiased) {
  constexpr int draws = 200'000;
  for (const AnySampling& rule : all_samplings_and_copies())
    for (const std::size_t count : {1, 10, 60}) {
      SCOPED_TRACE(std::string(rule.name()) + " " + std::to_string(count));
      const auto sampler = rule.sampler(setup(count, false));
      std::vector<SampleIndex> samples;
      Vector weights, sums(kLast), squares(kLast);
      for (int draw = 0; draw < draws / static_cast<int>(count); ++draw) {
        sampler->draw(draw, samples, weights);
        ASSERT_LE(samples.size(), count);
        for (std::size_t i = 0; i < samples.size(); ++i) {
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
        EXPECT_EQ(distinct.size(), samples.size());
        EXPECT_LE(samples.size(), count);
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

// Whoever draws: two samplers take turns.
TEST(Passes, HaveEverySampleExactlyOnce) {
  constexpr double pieces = 12;
  for (const double copies : {1, 5}) {
    const AnySampling rule = Passes{.pieces = pieces, .copies = copies};
    std::vector<std::unique_ptr<AnySampler>> samplers;
    for (const int worker : {0, 1}) {
      SamplingSetup its = setup(7, false);
      its.random = Random(3).stream(worker);
      its.shared = Random(4);
      samplers.push_back(rule.sampler(its));
    }
    std::vector<SampleIndex> samples;
    Vector weights;
    for (int pass = 0; pass < 3; ++pass) {
      Vector total(kLast);
      for (int piece = 0; piece < pieces; ++piece) {
        samplers[piece % 5 % 2]->draw(pass * 12 + piece, samples, weights);
        for (std::size_t i = 0; i < samples.size(); ++i) total[samples[i]] += weights[i];
      }
      for (std::size_t i = kFirst; i < kLast; ++i)
        EXPECT_NEAR(total[i], 7 * pieces / static_cast<double>(kLast - kFirst), 1e-12) << i;
    }
  }
}

TEST(Passes, CurvedSamplesComeMoreOften) {
  const auto sampler = AnySampling(Passes{.copies = 3}).sampler(setup(1, false));
  std::vector<SampleIndex> samples;
  Vector weights;
  std::vector<int> seen(kLast);
  // Mean 240 or so: of a curvature of 1000 three copies, of all others one.
  for (std::uint64_t draw = 0; draw < 37 + 2 * 8; ++draw) {
    sampler->draw(draw, samples, weights);
    ++seen[samples.front()];
  }
  for (std::size_t i = kFirst; i < kLast; ++i) EXPECT_EQ(seen[i], i % 4 == 3 && i != 7 ? 3 : 1);
}

TEST(Passes, PiecesThatDoNotFitAreRefused) {
  EXPECT_THROW(AnySampling(Passes{.pieces = 3}).sampler(setup(10, false)), ContractError);
  EXPECT_THROW(AnySampling(Passes{.pieces = 75}).sampler(setup(10, false)), ContractError);
  EXPECT_THROW(AnySampling(Passes{.copies = 2}).sampler(setup(10, true)), ContractError);
}

TEST(Importance, WithoutCurvaturesIsRefused) {
  SamplingSetup without = setup(1, false);
  without.sample_lipschitz = nullptr;
  EXPECT_THROW(AnySampling(Importance{}).sampler(without), ContractError);
}

}  // namespace
}  // namespace asynprox
