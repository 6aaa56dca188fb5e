// Several outputs as a whole: the optimum that another program found, and every runtime alike.
#include <gtest/gtest.h>

#include <cmath>

#include "asynprox/methods.h"
#include "asynprox/solve.h"

#include "tests/real_data_testing.h"

namespace asynprox {
namespace {

// tests/references/multinomial_mnist.json: scikit-learn 1.9.1 by saga, changing no more.
constexpr double kLambda = 5e-3, kOptimum = 2.2723436416535603;

TEST(Multinomial, ReachesTheOptimumOfAnotherProgramOnMnist) {
  ASYNPROX_NEEDS_REAL_DATA();
  Dataset data = real_data("mnist.xz");
  normalize_rows(data);
  const Result result = solve(data, MultinomialLoss{}, L1{.lambda = kLambda},
                              {.method = Fista{}, .stop = {.steps = 500, .tolerance = 1e-7}});
  EXPECT_NEAR(result.objective, kOptimum, 1e-6);
  EXPECT_GE(*result.duality_gap, result.objective - kOptimum);
  EXPECT_EQ(result.outputs, 10);
  EXPECT_EQ(result.dimension, 780);
  EXPECT_EQ(result.x.size(), 7800);
}

// 1.2 million coefficients. The optimum is that of --method prox-newton, certified to 2.3e-8 of it; and
// tests/references/multinomial_news20.json: scikit-learn 1.9.1 by 60 epochs of saga.
TEST(Multinomial, CertifiesTwentyClassesOfNews) {
  ASYNPROX_NEEDS_REAL_DATA();
  Dataset data = real_data("news20.xz");
  normalize_rows(data);
  constexpr double kOptimumOfNews = 1.466857553, kOfScikitLearn = 1.4668583750985063;
  const Result result = solve(data, MultinomialLoss{}, L1{.lambda = 1e-4},
                              {.workers = 2, .stop = {.tolerance = 1e-3}});
  EXPECT_EQ(result.stop_reason, StopReason::converged);
  EXPECT_EQ(result.outputs, 20);
  ASSERT_TRUE(result.duality_gap);
  EXPECT_LE(*result.duality_gap, 1e-3 * result.objective);
  EXPECT_NEAR(result.objective, kOfScikitLearn, 1e-4 * kOfScikitLearn);
  EXPECT_GE(*result.duality_gap, result.objective - kOptimumOfNews);
  EXPECT_EQ(result.fallback_passes, 0);
}

// Sums over samples come in different orders, but the answer is one.
TEST(Multinomial, LazyAndDenseModelsGiveTheSame) {
  ASYNPROX_NEEDS_REAL_DATA();
  const Dataset& data = real_data("abalone_scale.xz");
  for (const bool intercept : {false, true}) {
    Options options = {.method = AsynProxSgd{},
                       .workers = 3,
                       .batch_size = 12,
                       .stop = {.steps = 300},
                       .runtime = Runtime::serial,
                       .state = StateChoice::dense,
                       .intercept = intercept};
    const Result dense = solve(data, MultinomialLoss{}, L1{.lambda = 1e-3}, options);
    options.state = StateChoice::lazy;
    const Result lazy = solve(data, MultinomialLoss{}, L1{.lambda = 1e-3}, options);
    ASSERT_EQ(dense.x.size(), lazy.x.size());
    EXPECT_EQ(dense.intercept.size(), intercept ? dense.outputs : 0);
    for (std::size_t j = 0; j < dense.x.size(); ++j)
      EXPECT_NEAR(dense.x[j], lazy.x[j], 1e-10 * std::max(1.0, std::abs(dense.x[j])));
  }
}

// Of two classes, half the difference of the outputs is a logistic model's: with a squared-l2 of
// lambda on both, as much is paid as with lambda / 2 on that one.
TEST(Multinomial, OfTwoClassesIsLogistic) {
  ASYNPROX_NEEDS_REAL_DATA();
  const Dataset& data = real_data("heart_scale.xz");
  const Options options = {
      .method = Fista{}, .stop = {.steps = 5000, .tolerance = 1e-12}, .intercept = true};
  const Result two = solve(data, MultinomialLoss{}, SquaredL2{.lambda = 0.1}, options);
  const Result one = solve(data, LogisticLoss{}, SquaredL2{.lambda = 0.05}, options);
  EXPECT_NEAR(two.objective, one.objective, 1e-9);
  for (std::size_t j = 0; j < one.x.size(); ++j)
    EXPECT_NEAR(two.x[2 * j + 1] - two.x[2 * j], one.x[j], 1e-5);
}

}  // namespace
}  // namespace asynprox
