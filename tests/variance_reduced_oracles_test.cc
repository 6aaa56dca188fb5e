// Exact answers on real data, with nothing told but the problem, the workers and a tolerance.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "asynprox/methods.h"
#include "asynprox/solve.h"

#include "tests/sparse_logistic_oracles_testing.h"

namespace asynprox {
namespace {

class WithoutTuning : public testing::TestWithParam<std::size_t> {};

TEST_P(WithoutTuning, TheOptimumAndItsSupportAreFound) {
  ASYNPROX_NEEDS_REAL_DATA();
  const SparseLogistic& oracle = sparse_logistic_oracles()[GetParam()];
  const Dataset data = oracle_data(oracle);
  for (const int workers : {1, 2, 8})
    for (const Runtime runtime : {Runtime::serial, Runtime::threads}) {
      if (runtime == Runtime::threads && workers != 2) continue;
      SCOPED_TRACE(fmt::format("{} workers, {}", workers, name(runtime)));
      const Result result =
          solve(data, LogisticLoss{}, L1{.lambda = oracle.lambda},
                {.workers = workers, .stop = {.tolerance = 1e-9}, .runtime = runtime});
      EXPECT_NEAR(result.objective, oracle.optimum, 1e-8);
      EXPECT_GE(result.nonzeros, oracle.nonzeros_min);
      EXPECT_LE(result.nonzeros, oracle.nonzeros_max);
      EXPECT_TRUE(result.stop_reason == StopReason::converged ||
                  result.stop_reason == StopReason::stalled);
      RecordProperty(fmt::format("epochs_{}_{}", workers, name(runtime)),
                     fmt::format("{:.0f}", result.epochs));
    }
}

INSTANTIATE_TEST_SUITE_P(Data, WithoutTuning,
                         testing::Range<std::size_t>(0, sparse_logistic_oracles().size()),
                         [](const auto& which) {
                           return sparse_logistic_oracles()[which.param].name;
                         });

struct Nonconvex {
  std::string file;
  double lambda;
};

class NonconvexRun : public testing::TestWithParam<Nonconvex> {};

TEST_P(NonconvexRun, ComesToACriticalPointNotAboveThePlainMethods) {
  ASYNPROX_NEEDS_REAL_DATA();
  const Dataset& data = real_data(GetParam().file + ".xz");
  const L1 h{.lambda = GetParam().lambda};
  const Result plain = solve(
      data, SigmoidLoss{}, h,
      {.method = AsynProxSgd{}, .workers = 2, .stop = {.epochs = 50}, .runtime = Runtime::serial});
  for (const AnyMethod& method : {AnyMethod(AsynProxSaga{}), AnyMethod(AsynProxSvrg{})}) {
    SCOPED_TRACE(method.name());
    const Result result = solve(data, SigmoidLoss{}, h,
                                {.method = method,
                                 .workers = 2,
                                 .stop = {.epochs = 1000, .tolerance = 1e-12},
                                 .runtime = Runtime::serial});
    EXPECT_LT(result.gradient_mapping, 1e-6) << result.stop_detail;
    EXPECT_LE(result.objective, plain.objective);
    RecordProperty(std::string(method.name()),
                   fmt::format("{:.0f} epochs, F {:.9f}, P {:.1e}; plain F {:.9f}, P {:.1e}",
                               result.epochs, result.objective, result.gradient_mapping,
                               plain.objective, plain.gradient_mapping));
  }
}

INSTANTIATE_TEST_SUITE_P(Data, NonconvexRun,
                         testing::Values(Nonconvex{"a9a", 1e-3}, Nonconvex{"a9a", 1e-4},
                                         Nonconvex{"mushrooms", 1e-3},
                                         Nonconvex{"mushrooms", 1e-4}),
                         [](const auto& which) {
                           return fmt::format("{}_1em{:.0f}", which.param.file,
                                              -std::log10(which.param.lambda));
                         });

}  // namespace
}  // namespace asynprox
