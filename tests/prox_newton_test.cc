// Whole runs of --method prox-newton.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "asynprox/base/errors.h"
#include "asynprox/methods.h"
#include "asynprox/solve.h"
#include "asynprox/step_sizes.h"

namespace asynprox {
namespace {

const Dataset& generated() {
  static const Dataset data =
      read_dataset("generate:sparse-logistic:n=1000,d=100,nonzeros=10,seed=3");
  return data;
}

Result solved(Options options, const AnyRegularizer& h = L1{.lambda = 1e-3}) {
  if (!options.method) options.method = ProxNewton{};
  return solve(generated(), LogisticLoss{}, h, options);
}

TEST(ProxNewton, ComesToTheToleranceWithABoundOnTheError) {
  for (const Runtime runtime : {Runtime::serial, Runtime::threads})
    for (const int workers : {1, 3}) {
      SCOPED_TRACE(fmt::format("{}, {} workers", name(runtime), workers));
      const Result result =
          solved({.workers = workers, .stop = {.tolerance = 1e-9}, .runtime = runtime});
      EXPECT_EQ(result.stop_reason, StopReason::converged);
      ASSERT_TRUE(result.duality_gap);
      EXPECT_LE(*result.duality_gap, 1e-9 * result.objective);
      EXPECT_EQ(result.steps, 0);
      EXPECT_EQ(result.method_parts, std::vector<std::string>{"prox-newton"});
      EXPECT_FALSE(result.fell_back) << "it has no steps that could have failed";
      const Result saga = solved({.method = AsynProxSaga{}, .stop = {.tolerance = 1e-9}});
      EXPECT_NEAR(result.objective, saga.objective, 1e-9);
      EXPECT_EQ(result.nonzeros, saga.nonzeros);
    }
}

// As the defaults of a run without a method do.
TEST(ProxNewton, StopsAtTheUsualToleranceWhereNoneIsGiven) {
  const Result result = solved({.workers = 1});
  EXPECT_EQ(result.stop_reason, StopReason::converged);
  EXPECT_EQ(result.plan.stop.tolerance, 1e-4);
  EXPECT_LT(result.epochs, 40);
}

TEST(ProxNewton, ReadsNoMoreEpochsThanThereAre) {
  for (const double epochs : {0.0, 3.0, 6.0}) {
    const Result result = solved({.workers = 1, .stop = {.epochs = epochs, .tolerance = 1e-13}});
    EXPECT_EQ(result.stop_reason, StopReason::epoch_limit);
    EXPECT_LE(result.epochs, epochs);
  }
}

TEST(ProxNewton, EndsAtALimitOfTime) {
  const Result result = solved({.workers = 1, .stop = {.seconds = 0, .tolerance = 1e-13}});
  EXPECT_EQ(result.stop_reason, StopReason::time_limit);
}

// On a working set of columns, without FISTA, though more of them move than a matrix is made of.
TEST(ProxNewton, TakesAnyNumberOfCoordinates) {
  const Dataset wide = read_dataset("generate:sparse-logistic:n=400,d=3000,nonzeros=40,seed=5");
  const Result result = solve(wide, LogisticLoss{}, SquaredL2{.lambda = 1e-2},
                              {.method = ProxNewton{}, .workers = 2});
  EXPECT_EQ(result.stop_reason, StopReason::converged);
  EXPECT_GT(result.nonzeros, 512);
  EXPECT_EQ(result.fallback_passes, 0);
  EXPECT_EQ(result.method_parts, std::vector<std::string>{"prox-newton"});
}

TEST(MethodParts, NameTheRefinementsThatFoundBetterModels) {
  using Parts = std::vector<std::string>;
  const auto has = [](const Result& result, std::string_view part) {
    return std::ranges::find(result.method_parts, part) != result.method_parts.end();
  };
  const Result by_auto = solve(generated(), LogisticLoss{}, L1{.lambda = 1e-3}, {.workers = 1});
  EXPECT_EQ(by_auto.method_parts, (Parts{"asyn-prox-saga", "prox-newton"}));
  const Result alone = solved({.method = AsynProxSaga{}, .workers = 1});
  EXPECT_EQ(alone.method_parts.front(), "asyn-prox-saga");
  EXPECT_FALSE(has(alone, "prox-newton"));
  EXPECT_TRUE(has(alone, "span-search"));
  // A step that is given is not judged by evaluations, so that nothing refines the model.
  EXPECT_EQ(solved({.method = AsynProxSaga{}, .step = ConstantStep{0.1}, .stop = {.epochs = 5}})
                .method_parts,
            Parts{"asyn-prox-saga"});
}

TEST(ProxNewton, SaysWhatItNeeds) {
  const auto reason = [](const auto& run) -> std::string {
    try {
      run();
    } catch (const ContractError& error) {
      return error.what();
    }
    return "none";
  };
  const auto with = [&](auto change) {
    Options options;
    change(options);
    return reason([&] { solved(options); });
  };
  EXPECT_EQ(reason([&] { solved({}, L2Ball{}); }),
            "prox-newton needs a separable regularizer; got l2-ball");
  EXPECT_EQ(reason([&] {
              solve(generated(), SigmoidLoss{}, L1{.lambda = 1e-3}, {.method = ProxNewton{}});
            }),
            "prox-newton needs a convex loss; got one that is not");
  EXPECT_EQ(with([](Options& options) { options.step = ConstantStep{0.1}; }),
            "prox-newton needs --step auto; got the step constant");
  EXPECT_EQ(with([](Options& options) { options.runtime = Runtime::simulated; }),
            "prox-newton needs real time; got a simulation");
  EXPECT_EQ(with([](Options& options) { options.pace = 1e6; }),
            "prox-newton needs workers as fast as they are; got a pace");
  EXPECT_EQ(with([](Options& options) { options.newton = false; }),
            "prox-newton cannot have --newton off");
  EXPECT_EQ(with([](Options& options) { options.fallback = false; }),
            "prox-newton cannot have --fallback off");
  EXPECT_EQ(with([](Options& options) { options.stop.steps = 3; }),
            "steps: prox-newton takes no steps of Algorithm 1; expected a limit on epochs or "
            "seconds, or a tolerance");
}

}  // namespace
}  // namespace asynprox
