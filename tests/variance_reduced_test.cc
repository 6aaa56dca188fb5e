// Methods whose noise vanishes at the optimum: they reach it, whatever workers, bounds, speeds and
// absences do.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "asynprox/methods.h"
#include "asynprox/solve.h"

namespace asynprox {
namespace {

const Dataset& generated() {
  static const Dataset data =
      read_dataset("generate:sparse-logistic:n=1000,d=100,nonzeros=10,seed=3");
  return data;
}

// Strongly convex, so that there is one optimum.
const AnyRegularizer& regularizer() {
  static const AnyRegularizer h = ElasticNet{.l1 = 1e-4, .l2 = 1e-5};
  return h;
}

const Result& optimum() {
  static const Result exact =
      solve(generated(), LogisticLoss{}, regularizer(),
            {.method = Fista{}, .workers = 1, .stop = {.steps = 20000}, .trace_every = 20000});
  return exact;
}

TEST(VarianceReduced, TheReferenceIsOne) { EXPECT_LT(*optimum().duality_gap, 1e-13); }

void expect_optimum(const Result& result) {
  EXPECT_NEAR(result.objective, optimum().objective, 1e-9);
  for (std::size_t j = 0; j < result.x.size(); ++j) EXPECT_NEAR(result.x[j], optimum().x[j], 1e-3);
}

// The lowest F - F* up to each of the epochs length, 2 length, ...
std::vector<double> errors(const Trace& trace, double length) {
  std::vector<double> lowest = {trace.front().objective - optimum().objective};
  for (const Evaluation& evaluation : trace) {
    while (evaluation.epochs > length * static_cast<double>(lowest.size()))
      lowest.push_back(lowest.back());
    lowest.back() = std::min(lowest.back(), evaluation.objective - optimum().objective);
  }
  return lowest;
}

struct Bound {
  int staleness_max;
  int pushes_per_step;  // 1: gradients are up to that old; 8: all are nearly fresh
  Runtime runtime;
};

class LinearConvergence : public testing::TestWithParam<Bound> {};

// Every 20 epochs the error falls to a tenth or less, down to 1e-10.
TEST_P(LinearConvergence, OfSagaAtItsAutomaticStep) {
  const Bound& bound = GetParam();
  const Result result = solve(generated(), LogisticLoss{}, regularizer(),
                              {.method = AsynProxSaga{},
                               .workers = 8,
                               .pushes_per_step = bound.pushes_per_step,
                               .staleness_max = bound.staleness_max,
                               .stop = {.epochs = 120},
                               .runtime = bound.runtime});
  EXPECT_LE(result.staleness.max, bound.staleness_max);
  if (bound.pushes_per_step == 1) {
    EXPECT_GE(result.staleness.max, std::min(bound.staleness_max, 7));
  }
  constexpr double length = 20, factor = 0.1;
  const std::vector<double> lowest = errors(result.trace, length);
  EXPECT_LT(lowest.back(), 1e-10);
  for (std::size_t i = 1; i < lowest.size() && lowest[i - 1] > 1e-10; ++i)
    EXPECT_LT(lowest[i], factor * lowest[i - 1])
        << fmt::format("window {}: {:.2e} after {:.2e}", i, lowest[i], lowest[i - 1]);
}

std::vector<Bound> bounds() {
  std::vector<Bound> all;
  for (const int staleness_max : {0, 1, 4, 16})
    for (const int pushes : {1, 8})
      for (const Runtime runtime : {Runtime::serial, Runtime::simulated})
        all.push_back({staleness_max, pushes, runtime});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Bounds, LinearConvergence, testing::ValuesIn(bounds()),
                         [](const auto& which) {
                           return fmt::format("T{}_m{}_{}", which.param.staleness_max,
                                              which.param.pushes_per_step,
                                              name(which.param.runtime));
                         });

std::vector<AnyMethod> reducing() { return {AsynProxSaga{}, AsynProxSvrg{}}; }

// Workers draw from samples of their own, so a slow one's could count for less: they do not.
TEST(VarianceReduced, TheLimitDoesNotDependOnSpeeds) {
  for (const AnyMethod& method : reducing())
    for (const int pushes : {1, 3})
      for (const Vector& speeds : {Vector{1, 1, 1}, Vector{1, 1, 0.1}, Vector{0.1, 1, 1}}) {
        SCOPED_TRACE(fmt::format("{} m {} speeds {}", method.name(), pushes, speeds[0]));
        const Result result = solve(generated(), LogisticLoss{}, regularizer(),
                                    {.method = method,
                                     .workers = 3,
                                     .pushes_per_step = pushes,
                                     .stop = {.epochs = 1000},
                                     .runtime = Runtime::simulated,
                                     .speeds = speeds});
        expect_optimum(result);
      }
}

// The others take over the samples of one that left, and give them back.
TEST(VarianceReduced, WorkersMayLeaveAndReturn) {
  for (const AnyMethod& method : reducing()) {
    SCOPED_TRACE(method.name());
    int left = 0;
    const Result result = solve(
        generated(), LogisticLoss{}, regularizer(),
        {.method = method,
         .workers = 4,
         .stop = {.epochs = 2000, .tolerance = 1e-10},
         .runtime = Runtime::threads,
         .absences = {{.worker = 0, .after_pushes = 3, .seconds = 0.001},
                      {.worker = 2, .after_pushes = 9, .seconds = 0.002},
                      {.worker = 3, .after_pushes = 20, .seconds = 0.0005}},
         .on_events = [&](std::span<const Event> events) {
           left += static_cast<int>(std::ranges::count(events, EventKind::left, &Event::kind));
         }});
    EXPECT_GE(left, 3);
    expect_optimum(result);
  }
}

// Sparse data of many columns: the lazy form finds what the dense one does.
// A push that moves an anchor moves nothing else: there must be others, however large they are.
TEST(VarianceReduced, SvrgMovesWithBatchesOfAllSamples) {
  for (const int workers : {1, 2, 5})
    for (const std::int64_t batch : {500, 1000}) {
      const Result result = solve(generated(), LogisticLoss{}, regularizer(),
                                  {.method = AsynProxSvrg{},
                                   .workers = workers,
                                   .batch_size = batch,
                                   .stop = {.epochs = 60},
                                   .runtime = Runtime::serial});
      SCOPED_TRACE(fmt::format("{} workers, {} samples", workers, batch));
      const double start = result.trace.front().objective;
      EXPECT_LT(result.objective, start - 0.5 * (start - optimum().objective));
      EXPECT_GE(result.epochs, 50) << "what was asked for";
      EXPECT_LE(result.epochs, 75);
    }
}

TEST(VarianceReduced, TheLazyFormReachesTheSameOptimum) {
  for (const int workers : {1, 3})
    for (const StateChoice state : {StateChoice::dense, StateChoice::lazy}) {
      SCOPED_TRACE(fmt::format("{} workers, {}", workers, name(state)));
      Options options = {.method = AsynProxSaga{},
                         .workers = workers,
                         .stop = {.epochs = 2000, .tolerance = 1e-10},
                         .runtime = Runtime::serial};
      options.state = state;
      const Result result = solve(generated(), LogisticLoss{}, regularizer(), options);
      EXPECT_EQ(result.plan.state, state);
      expect_optimum(result);
    }
}

}  // namespace
}  // namespace asynprox
