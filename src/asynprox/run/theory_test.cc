#include "asynprox/run/theory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "asynprox/algorithm/methods/all.h"

namespace asynprox {
namespace {

TEST(Theory, HasTwoConditionsAndNeedsBoth) {
  // L = 2: the first asks for eta <= 1/32.
  const auto met = [](double eta, std::int64_t staleness_max) {
    const Theory theory =
        check_theory({.lipschitz = 2, .step_size_max = eta, .staleness_max = staleness_max});
    return std::vector<bool>{theory.conditions[0].met, theory.conditions[1].met,
                             *theory.conditions_met};
  };
  EXPECT_EQ(met(1.0 / 32, 0), (std::vector{true, true, true}));
  EXPECT_EQ(met(1.001 / 32, 0), (std::vector{false, true, false}));
  // 6 (eta L T)^2 = 6 (T / 16)^2 <= 1 up to T = 6.
  EXPECT_EQ(met(1.0 / 32, 6), (std::vector{true, true, true}));
  EXPECT_EQ(met(1.0 / 32, 7), (std::vector{true, false, false}));
  EXPECT_EQ(met(1.0 / 32, 63), (std::vector{true, false, false}));
}

TEST(Theory, IsSilentWhereTheTheoremIs) {
  EXPECT_EQ(check_theory({.step_size_max = 0.1}).conditions_met, std::nullopt);
  EXPECT_EQ(check_theory({.lipschitz = 1}).conditions_met, std::nullopt) << "no step was taken";
  const Theory fista = check_theory({.lipschitz = 1, .method = Fista{}, .step_size_max = 1e-3});
  EXPECT_EQ(fista.conditions_met, std::nullopt);
  EXPECT_TRUE(fista.conditions.empty());
}

bool says(const Theory& theory, std::string_view words) {
  return std::ranges::any_of(theory.assumptions, [&](const std::string& assumption) {
    return assumption.find(words) != std::string::npos;
  });
}

TEST(Theory, ListsWhatElseIsAssumed) {
  EXPECT_TRUE(says(check_theory({}), "bounded everywhere: not checked"));
  EXPECT_TRUE(says(check_theory({}), "with replacement: yes"));
  EXPECT_TRUE(says(check_theory({.method = ProxGd{}}), "with replacement: no"));
  EXPECT_TRUE(says(check_theory({.method = Fista{}}), "extrapolated points"));
  EXPECT_FALSE(says(check_theory({.step_size_max = 1}), "but they look at the delays"));
  EXPECT_TRUE(says(check_theory({.step_looks_at_delays = true}), "but they look at the delays"));
  EXPECT_TRUE(says(check_theory({.delays_from_timing = true}), "samples: yes, there are none"));
  EXPECT_TRUE(
      says(check_theory({.staleness_max = 3, .delays_from_timing = true}), "samples: not checked"));
  EXPECT_TRUE(
      says(check_theory({.staleness_max = 3}), "samples: yes, they are given, or drawn apart"));
}

const CorollaryTerms kTerms = {
    .gap = 0.5, .variance = 3, .lipschitz = 2, .batch_size = 4, .staleness_max = 2};

TEST(Corollary, MeetsBothConditionsFromItsLeastKOn) {
  for (const double T : {0.0, 1.0, 8.0, 63.0}) {
    CorollaryTerms terms = kTerms;
    terms.staleness_max = T;
    const double K = corollary_steps_least(terms);
    const double eta = corollary_step(terms, K);
    EXPECT_NEAR(eta, corollary_step_max(terms), 1e-12 * eta);
    EXPECT_NEAR(eta, 1 / (16 * 2 * (T + 1) * (T + 1)), 1e-12 * eta);
    const Theory theory = check_theory({.lipschitz = 2,
                                        .step_size_max = (1 - 1e-12) * eta,
                                        .staleness_max = static_cast<std::int64_t>(T)});
    EXPECT_EQ(theory.conditions_met, true) << "T " << T;
  }
}

// 32 sqrt(2 gap L sigma^2 / (K N)), the paper's last line, bounds the theorem's bound: it doubles
// the first term and quadruples the second, which are equal for long runs, so that 3/8 of it is
// left.
TEST(Corollary, IsWhatTheTheoremGivesForItsStep) {
  for (const double times : {1.0, 3.0, 100.0, 1e6}) {
    const double K = std::ceil(times * corollary_steps_least(kTerms));
    const double bound = ergodic_bound(kTerms, corollary_step(kTerms, K), K).printed;
    const double corollary = 32 * std::sqrt(2 * 0.5 * 2 * 3 / (K * 4));
    EXPECT_LE(bound, (0.375 + 0.6 / std::sqrt(times)) * corollary);
    EXPECT_GE(bound, 0.375 * corollary);
  }
}

TEST(ErgodicBound, IsTheSameOfEqualStepsListedOrCounted) {
  for (const std::size_t K : {1U, 2U, 3U, 40U}) {
    const Vector etas(K, 0.01);
    const ErgodicBound listed = ergodic_bound(kTerms, etas);
    const ErgodicBound counted = ergodic_bound(kTerms, 0.01, static_cast<double>(K));
    EXPECT_NEAR(listed.printed, counted.printed, 1e-12 * counted.printed);
    EXPECT_NEAR(listed.corrected, counted.corrected, 1e-12 * counted.corrected);
  }
}

TEST(ErgodicBound, CanBeCheckedByHand) {
  // L = 2, T = 2, sigma^2 / N = 3/4; steps 1/32 and 1/64: sum 3/64, squares 5/4096, and the second
  // step has the first before it: (1/64) / 1024 = 2^-16.
  const ErgodicBound bound = ergodic_bound(kTerms, Vector{1.0 / 32, 1.0 / 64});
  const double weight = 3.0 / 64 - 16 * 5.0 / 4096;
  const double spread = 16 * 5.0 / 4096 + 12 * 4 * 2 * 0x1p-16;
  EXPECT_DOUBLE_EQ(bound.printed, (8 * 0.5 + 0.75 * spread) / weight);
  EXPECT_NEAR(bound.corrected - bound.printed, 4 * 0.75 * (3.0 / 64) / weight, 1e-13);
}

TEST(ErgodicAverage, WeighsAnEvaluationByTheStepsItStandsFor) {
  const auto evaluation = [](std::int64_t steps, double own) {
    Evaluation now;
    now.steps = steps;
    now.gradient_mapping_own = own;
    return now;
  };
  EXPECT_EQ(ergodic_average({}), std::nullopt);
  EXPECT_EQ(ergodic_average({evaluation(0, 5)}), std::nullopt);
  // One step at 3^2, three at 2^2, and the last model is no step's.
  EXPECT_DOUBLE_EQ(*ergodic_average({evaluation(0, 3), evaluation(1, 2), evaluation(4, 100)}),
                   (9 + 3 * 4) / 4.0);
}

TEST(StabilityLimit, IsTwoWithoutDelayAndOneForOneStep) {
  EXPECT_DOUBLE_EQ(stability_limit(0), 2);
  EXPECT_DOUBLE_EQ(stability_limit(1), 1);
  EXPECT_NEAR(stability_limit(63), 0.02473, 1e-5);
}

}  // namespace
}  // namespace asynprox
