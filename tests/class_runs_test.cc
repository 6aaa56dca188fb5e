// Whole runs of multinomial models on data that is wide: more coefficients than a matrix has room for.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "asynprox/base/random.h"
#include "asynprox/methods.h"
#include "asynprox/run_record.h"
#include "asynprox/solve.h"

namespace asynprox {
namespace {

constexpr std::size_t kClasses = 5;

// A class by the largest of five planted scores.
const Dataset& words() {
  static const Dataset data = [] {
    Dataset made = read_dataset("generate:sparse-logistic:n=600,d=900,nonzeros=30,columns=zipf");
    const Random random(5);
    for (std::size_t i = 0; i < made.num_samples(); ++i) {
      Vector scores(kClasses, 0);
      for (const auto& [column, value] : made.rows.row(i))
        scores[random.index_at(column, kClasses)] += value;
      made.labels[i] = static_cast<double>(std::ranges::max_element(scores) - scores.begin());
    }
    return made;
  }();
  return data;
}

std::vector<AnyRegularizer> regularizers() {
  return {L1{.lambda = 2e-4}, L1{.lambda = 2e-3}, ElasticNet{.l1 = 1e-3, .l2 = 1e-3},
          GroupLasso{.lambda = 1e-3, .size = kClasses},
          SparseGroupLasso{.l1 = 1e-3, .group = 5e-4, .size = kClasses}};
}

// Without the fallback's passes: the second-order steps converge.
TEST(Classes, AreCertifiedByNewtonsMethodAlone) {
  for (const AnyRegularizer& h : regularizers())
    for (const bool intercept : {false, true})
      for (const double tolerance : {1e-4, 1e-8}) {
        SCOPED_TRACE(testing::Message()
                     << h.spec() << ", intercept " << intercept << ", " << tolerance);
        const Result result = solve(words(), MultinomialLoss{}, h,
                                    {.method = ProxNewton{},
                                     .workers = 2,
                                     .stop = {.tolerance = tolerance},
                                     .intercept = intercept});
        EXPECT_EQ(result.stop_reason, StopReason::converged);
        ASSERT_TRUE(result.duality_gap);
        EXPECT_LE(*result.duality_gap, tolerance * result.objective);
        EXPECT_EQ(result.fallback_passes, 0);
        EXPECT_EQ(result.method_parts, std::vector<std::string>{"prox-newton"});
      }
}

TEST(Classes, AreCertifiedByDefault) {
  for (const AnyRegularizer& h : regularizers()) {
    SCOPED_TRACE(h.spec());
    const Result result = solve(words(), MultinomialLoss{}, h, {.workers = 2, .intercept = true});
    EXPECT_EQ(result.stop_reason, StopReason::converged);
    ASSERT_TRUE(result.duality_gap);
    EXPECT_LE(*result.duality_gap, 1e-4 * result.objective);
    const Result fista = solve(words(), MultinomialLoss{}, h,
                               {.method = Fista{}, .stop = {.steps = 400}, .intercept = true});
    EXPECT_LE(result.objective - *result.duality_gap, fista.objective) << "the bound is one";
    EXPECT_LE(result.objective, fista.objective * (1 + 1e-4));
  }
}

TEST(Classes, AreReplayedToTheSameBits) {
  std::vector<Event> events;
  const AnyRegularizer h = L1{.lambda = 5e-4};
  const Result result = solve(words(), MultinomialLoss{}, h,
                              {.workers = 2,
                               .stop = {.tolerance = 1e-7},
                               .intercept = true,
                               .on_events = [&](std::span<const Event> some) {
                                 events.insert(events.end(), some.begin(), some.end());
                               }});
  EXPECT_EQ(result.stop_reason, StopReason::converged);
  auto next = events.begin();
  const Replayed replayed = replay(words(), MultinomialLoss{}, h, result.plan, [&]() {
    return next == events.end() ? std::nullopt : std::optional(*next++);
  });
  EXPECT_FALSE(replayed.comparison.difference) << *replayed.comparison.difference;
  EXPECT_EQ(replayed.result.x, result.x);
}

}  // namespace
}  // namespace asynprox
