// Runs on which stochastic steps make no progress: they go on by other means until they are
// certified, and are recorded and replayed like any other.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <vector>

#include "asynprox/base/random.h"
#include "asynprox/data/dataset.h"
#include "asynprox/methods.h"
#include "asynprox/run_record.h"
#include "asynprox/solve.h"

namespace asynprox {
namespace {

// Three classes in two features of very different sizes, one of them far from 0, nearly separable.
Dataset three_classes() {
  const Random random(2);
  CsrMatrix matrix{.num_columns = 2};
  Dataset data;
  for (std::size_t i = 0; i < 90; ++i) {
    const double label = static_cast<double>(i % 3);
    const Vector row = {1000 + label + random.uniform_at(2 * i),
                        0.01 * (label * label + random.uniform_at(2 * i + 1))};
    for (Key j = 0; j < 2; ++j) {
      matrix.columns.push_back(j);
      matrix.values.push_back(row[j]);
    }
    matrix.offsets.push_back(matrix.columns.size());
    data.labels.push_back(label);
  }
  data.rows = Rows::plain(matrix);
  return data;
}

Options options_of(int workers, Runtime runtime = Runtime::threads) {
  return {.workers = workers, .runtime = runtime, .intercept = true};
}

// Newton's method would leave nothing to FISTA.
Result solved(Options options) {
  options.newton = false;
  return solve(three_classes(), MultinomialLoss{}, L1{.lambda = 1e-3}, options);
}

TEST(Fallback, CertifiesWhereStochasticStepsStall) {
  Options named = options_of(1);
  named.method = AsynProxSaga{};
  const Result alone = solved(named);
  EXPECT_FALSE(alone.plan.refinements.fallback);
  EXPECT_NE(alone.stop_reason, StopReason::converged);
  for (const int workers : {1, 2, 4}) {
    const Result result = solved(options_of(workers));
    EXPECT_TRUE(result.plan.refinements.fallback);
    EXPECT_EQ(result.stop_reason, StopReason::converged) << workers;
    EXPECT_GT(result.fallback_passes, 0);
    ASSERT_TRUE(result.duality_gap);
    EXPECT_LE(*result.duality_gap, 1e-4 * result.objective);
    EXPECT_LT(result.objective, alone.objective);
    EXPECT_TRUE(result.ledger.balanced());
  }
}

TEST(Fallback, GivesTheSameBitsOnThreadsAsInTurns) {
  const Result threads = solved(options_of(1)), serial = solved(options_of(1, Runtime::serial));
  EXPECT_EQ(threads.x, serial.x);
  EXPECT_EQ(threads.epochs, serial.epochs);
}

// A start that is bad makes everything small beside it: neither the objective nor the gradient
// mapping may be taken for as good as zero for that.
TEST(Fallback, IsNotMisledByABadStart) {
  const Dataset data = read_dataset("generate:lasso:n=80,d=6,seed=5");
  for (const AnyRegularizer& h : {AnyRegularizer(Tv1d{.lambda = 0.01}), AnyRegularizer(NonNeg{})})
    for (const double size : {1e3, 1e8}) {
      const Result good = solve(data, SquaredLoss{}, h, {.workers = 1, .intercept = true});
      Options options = {.workers = 1, .stop = {.epochs = 3000}, .intercept = true};
      options.x0 = Vector(6, size);
      const Result result = solve(data, SquaredLoss{}, h, options);
      if (result.stop_reason == StopReason::converged) {
        EXPECT_LE(result.objective, good.objective * (1 + 2e-3)) << h.name() << " " << size;
      }
    }
}

TEST(Fallback, IsReplayedToTheSameBits) {
  for (const int workers : {1, 3}) {
    std::vector<Event> events;
    Options options = options_of(workers);
    options.on_events = [&](std::span<const Event> some) {
      events.insert(events.end(), some.begin(), some.end());
    };
    const Result result = solved(options);
    ASSERT_GT(result.fallback_passes, 0);
    auto next = events.begin();
    const Replayed replayed =
        replay(three_classes(), MultinomialLoss{}, L1{.lambda = 1e-3}, result.plan,
               [&]() { return next == events.end() ? std::nullopt : std::optional(*next++); });
    EXPECT_FALSE(replayed.comparison.difference) << *replayed.comparison.difference;
    EXPECT_EQ(replayed.result.x, result.x);
  }
}

TEST(Fallback, EndsAtTheCallersLimits) {
  Options options = options_of(2);
  options.stop.epochs = 60;
  const Result epochs = solved(options);
  EXPECT_EQ(epochs.stop_reason, StopReason::epoch_limit);
  EXPECT_GT(epochs.fallback_passes, 0);
  EXPECT_LE(epochs.epochs, 61);  // the metric of the fallback costs two passes, once
  EXPECT_GT(epochs.epochs, 57);
  // Passes count as steps.
  Options in_steps = options_of(1);
  const Result whole = solved(in_steps);
  in_steps.stop.steps = whole.steps + 20;
  const Result steps = solved(in_steps);
  EXPECT_EQ(steps.stop_reason, StopReason::step_limit);
  EXPECT_EQ(steps.steps + steps.fallback_passes, whole.steps + 20);
}

TEST(Fallback, CanBeInterrupted) {
  std::atomic<bool> interrupt = false;
  Options options = options_of(2);
  options.stop.tolerance = 1e-15;
  options.interrupt = &interrupt;
  options.on_evaluation = [&](const Evaluation& now) { interrupt = now.fallback_passes > 30; };
  std::vector<Event> events;
  options.on_events = [&](std::span<const Event> some) {
    events.insert(events.end(), some.begin(), some.end());
  };
  const Result result = solved(options);
  EXPECT_EQ(result.stop_reason, StopReason::interrupted);
  EXPECT_GT(result.fallback_passes, 30);
  EXPECT_LT(result.objective, result.trace.front().objective);
  interrupt = false;
  auto next = events.begin();
  const Replayed replayed =
      replay(three_classes(), MultinomialLoss{}, L1{.lambda = 1e-3}, result.plan,
             [&]() { return next == events.end() ? std::nullopt : std::optional(*next++); });
  EXPECT_FALSE(replayed.comparison.difference) << *replayed.comparison.difference;
}

// Ten columns of ones in 4 of 8,000 rows, standardised. Steps by an L that misses them diverge.
TEST(Fallback, IsNotNeededForRareColumns) {
  const Random random(1);
  CsrMatrix matrix{.num_columns = 30};
  Dataset data;
  for (std::size_t i = 0; i < 8000; ++i) {
    double label = 3 + random.uniform_at(100 * i + 99);
    for (Key j = 0; j < 20; ++j)
      if (random.uniform_at(100 * i + j) < 0.2) {
        matrix.columns.push_back(j);
        matrix.values.push_back(1);
        label += static_cast<double>(j % 5) - 2;
      }
    for (Key j = 20; j < 30 && i % 2000 == 0; ++j) {
      matrix.columns.push_back(j);
      matrix.values.push_back(1);
    }
    matrix.offsets.push_back(matrix.columns.size());
    data.labels.push_back(label);
  }
  data.rows = Rows::plain(matrix);
  standardize_columns(data);
  const Result result = solve(data, SquaredLoss{}, L1{.lambda = 1e-3}, options_of(2));
  EXPECT_EQ(result.stop_reason, StopReason::converged);
  EXPECT_LT(result.objective, 0.1);
  EXPECT_EQ(result.fallback_passes, 0);
}

// Classes that a line separates, and no penalty: the infimum 0 is not attained, and no model is the
// best. What is found is within the tolerance of it.
TEST(Fallback, TakesZeroForALowerBoundWhereThereIsNoOther) {
  Dataset data = three_classes();
  for (std::size_t i = 0; i < data.labels.size(); ++i) data.labels[i] = data.labels[i] > 0 ? 1 : -1;
  const Result result = solve(data, LogisticLoss{}, Zero{}, options_of(2));
  EXPECT_EQ(result.stop_reason, StopReason::converged);
  EXPECT_LE(result.objective, 1e-12 * std::log(2.0));
}

// Years, money, counts and shares, not scaled.
Dataset raw_table() {
  const Random random(6);
  const Vector means = {1970, 3e5, 40, 0.3, 2e4, 5}, sizes = {30, 1e5, 25, 0.1, 4e3, 2};
  CsrMatrix matrix{.num_columns = static_cast<Key>(means.size())};
  Dataset data;
  for (std::size_t i = 0; i < 300; ++i) {
    double label = 7 + random.uniform_at(100000 + i);
    for (Key j = 0; j < means.size(); ++j) {
      const double entry = random.uniform_at(means.size() * i + j) - 0.5;
      matrix.columns.push_back(j);
      matrix.values.push_back(means[j] + sizes[j] * entry);
      label += (j % 2 == 0 ? 1.0 : 0.5) * entry;
    }
    matrix.offsets.push_back(matrix.columns.size());
    data.labels.push_back(label);
  }
  data.rows = Rows::plain(matrix);
  return data;
}

TEST(Fallback, CertifiesRawColumnsWhereTheRegulariserCouplesThem) {
  const std::vector<AnyRegularizer> regularizers = {
      L1Ball{.radius = 0.5},
      Simplex{.radius = 0.5},
      L2Ball{.radius = 0.5},
      NonNegBall{.radius = 0.5},
      L2Norm{.lambda = 1e-2},
      GroupLasso{.lambda = 1e-2, .size = 2},
      SparseGroupLasso{.l1 = 1e-3, .group = 1e-2, .size = 2},
      Slope{.lambda = 1e-2, .q = 0.1}};
  for (const AnyRegularizer& h : regularizers) {
    const Result result = solve(raw_table(), SquaredLoss{}, h, options_of(2));
    EXPECT_EQ(result.stop_reason, StopReason::converged) << h.name();
    EXPECT_LE(result.fallback_passes, 300) << h.name();
    ASSERT_TRUE(result.duality_gap) << h.name();
    EXPECT_LE(*result.duality_gap, 1e-4 * result.objective) << h.name();
    EXPECT_TRUE(result.warnings.empty()) << h.name();
  }
}

// Where it has no prox in the metric of the columns, the run says what makes it slow.
TEST(Fallback, NamesColumnsOfDifferentSizesWhereTheyAreTheCause) {
  Options options = options_of(2);
  options.stop.epochs = 100;
  const Result slow =
      solve(raw_table(), SquaredLoss{}, Nuclear{.lambda = 1e-2, .columns = 2}, options);
  EXPECT_EQ(slow.stop_reason, StopReason::epoch_limit);
  ASSERT_EQ(slow.warnings.size(), 1U);
  EXPECT_EQ(
      slow.warnings[0],
      "nuclear couples the columns, which differ in size by a factor of 1e+06: that takes very "
      "many passes; --standardize columns makes it fast");
  Dataset scaled = raw_table();
  standardize_columns(scaled);
  EXPECT_TRUE(solve(scaled, SquaredLoss{}, Nuclear{.lambda = 1e-2, .columns = 2}, options)
                  .warnings.empty());
}

TEST(Fallback, OfALossThatIsNotConvexEndsAtAStationaryPoint) {
  Dataset data = three_classes();
  for (std::size_t i = 0; i < data.labels.size(); ++i) data.labels[i] = i % 7 < 3 ? 1 : -1;
  const Result result = solve(data, SigmoidLoss{}, SquaredL2{.lambda = 1e-2}, options_of(2));
  EXPECT_EQ(result.stop_reason, StopReason::stationary);
  EXPECT_FALSE(result.duality_gap);
}

}  // namespace
}  // namespace asynprox
