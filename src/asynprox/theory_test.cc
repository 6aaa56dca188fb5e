#include "asynprox/theory.h"

#include <gtest/gtest.h>

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
  const Theory fista =
      check_theory({.lipschitz = 1, .method = Method::fista, .step_size_max = 1e-3});
  EXPECT_EQ(fista.conditions_met, std::nullopt);
  EXPECT_TRUE(fista.conditions.empty());
}

TEST(Theory, ListsWhatElseIsAssumed) {
  EXPECT_NE(check_theory({.method = Method::prox_gd}).assumptions[1].find(": no"),
            std::string::npos);
  EXPECT_NE(check_theory({}).assumptions[1].find(": yes"), std::string::npos);
}

}  // namespace
}  // namespace asynprox
