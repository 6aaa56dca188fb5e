// An answer with a bound on its error: the duality gap is never below the true error, and closes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "asynprox/methods.h"
#include "asynprox/solve.h"

#include "tests/real_data_testing.h"

namespace asynprox {
namespace {

// Losses whose labels fit the data. Ages of abalones are counts.
struct File {
  std::string name;
  std::vector<std::string> losses;
};

const std::vector<File>& files() {
  static const std::vector<File> all = {
      {"heart_scale.xz",
       {"squared", "logistic", "squared-hinge", "smoothed-hinge", "huber", "multinomial"}},
      {"abalone_scale.xz", {"squared", "huber:2", "poisson"}}};
  return all;
}

const std::vector<std::string>& penalties() {
  static const std::vector<std::string> all = {"l1:0.02",
                                               "elastic-net:l1=0.02,l2=0.01",
                                               "squared-l2:0.05",
                                               "group-lasso:0.02,size=2",
                                               "box:lower=-1,upper=1",
                                               "l2-ball:1",
                                               "l1-ball:1",
                                               "nonneg-ball:1",
                                               "simplex:1",
                                               "linf-ball:1"};
  return all;
}

struct Case {
  std::string file, loss, penalty;
  bool intercept = false, weighted = false;
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const File& file : files())
    for (const std::string& loss : file.losses)
      for (const std::string& penalty : penalties())
        for (const bool intercept : {false, true})
          for (const bool weighted : {false, true})
            cases.push_back({file.name, loss, penalty, intercept, weighted});
  return cases;
}

std::string text(const Case& c) {
  return c.file + " " + c.loss + " " + c.penalty + (c.intercept ? " intercept" : "") +
         (c.weighted ? " weighted" : "");
}

Dataset data_of(const Case& c) {
  Dataset data = real_data(c.file);
  if (!c.weighted) return data;
  for (std::size_t i = 0; i < data.num_samples(); ++i)
    data.weights.push_back(static_cast<double>(i % 4));  // a quarter counts for nothing
  return data;
}

Result solved(const Case& c, Options options) {
  options.intercept = c.intercept;
  options.runtime = Runtime::serial;
  options.workers = 1;
  return solve(data_of(c), make_loss(parse_spec(c.loss)), make_regularizer(parse_spec(c.penalty)),
               options);
}

class Certificates : public testing::TestWithParam<std::size_t> {};

TEST_P(Certificates, BoundTheTrueErrorAndClose) {
  ASYNPROX_NEEDS_REAL_DATA();
  const std::vector<Case> cases = all_cases();
  const std::size_t share = cases.size() / 8 + 1, first = GetParam() * share;
  for (std::size_t i = first; i < std::min(first + share, cases.size()); ++i) {
    SCOPED_TRACE(text(cases[i]));
    const Result exact =
        solved(cases[i],
               {.method = Fista{}, .stop = {.steps = 4000, .tolerance = 1e-9}, .trace_every = 40});
    double least = exact.objective;
    for (const Evaluation& at : exact.trace) least = std::min(least, at.objective);
    ASSERT_TRUE(exact.duality_gap);
    EXPECT_LE(*exact.duality_gap, 2e-6 * std::abs(exact.objective));
    const double rounding = 1e-12 * std::abs(least);
    for (const Evaluation& at : exact.trace) {
      ASSERT_TRUE(at.duality_gap);
      EXPECT_GE(*at.duality_gap, at.objective - least - rounding) << at.steps << " steps";
    }
    const Result rough = solved(cases[i], {.stop = {.epochs = 2}});
    ASSERT_TRUE(rough.duality_gap);
    EXPECT_GE(*rough.duality_gap, rough.objective - least - rounding) << "rough";
  }
}

INSTANTIATE_TEST_SUITE_P(Share, Certificates, testing::Range<std::size_t>(0, 8));

// The L1 lines of the oracles: optimum known to a gap below 1e-9.
struct Oracle {
  std::string file;
  double lambda, optimum;
  bool normalized = false;
};

TEST(Certificates, HoldOnEveryConvexOracle) {
  ASYNPROX_NEEDS_REAL_DATA();
  const std::vector<Oracle> oracles = {
      {"a9a.xz", 876.05 / 32561, 0.518638157159008}, {"a9a.xz", 87.605 / 32561, 0.372334823379241},
      {"a9a.xz", 1e-3, 0.347035069372980},           {"a9a.xz", 1e-4, 0.326898961969135},
      {"a9a.xz", 1e-4, 0.333994167701, true},        {"mushrooms.xz", 1e-4, 0.008567200552}};
  for (const Oracle& oracle : oracles) {
    SCOPED_TRACE(oracle.file + " " + std::to_string(oracle.lambda));
    Dataset data = real_data(oracle.file);
    if (oracle.normalized) normalize_rows(data);
    for (const AnyMethod& method : std::vector<AnyMethod>{Fista{}, AsynProxSgd{}}) {
      const Result result = solve(data, LogisticLoss{}, L1{.lambda = oracle.lambda},
                                  {.method = method, .stop = {.epochs = 15, .tolerance = 1e-9}});
      ASSERT_TRUE(result.duality_gap);
      EXPECT_GE(*result.duality_gap, result.objective - oracle.optimum - 1e-11);
      // Steps that evaluations judge have many, and a bound only where it may end the run.
      const bool every_one = method.name() == Fista::name;
      for (const Evaluation& at : result.trace) {
        if (!every_one && !at.duality_gap) continue;
        EXPECT_GE(at.duality_gap.value(), at.objective - oracle.optimum - 1e-11) << at.steps;
      }
    }
  }
}

TEST(Certificates, EndARunThatIsGoodEnough) {
  ASYNPROX_NEEDS_REAL_DATA();
  const Result result = solve(real_data("heart_scale.xz"), LogisticLoss{}, L1{.lambda = 0.02},
                              {.method = Fista{}, .stop = {.tolerance = 1e-6}});
  EXPECT_EQ(result.stop_reason, StopReason::converged);
  EXPECT_LE(*result.duality_gap, 1e-6 * result.objective);
}

// No certificate where none is known; a measure of stationarity on a bounded set all the same.
TEST(Certificates, AreNotInvented) {
  ASYNPROX_NEEDS_REAL_DATA();
  const Dataset& data = real_data("heart_scale.xz");
  const Options options = {.stop = {.epochs = 2}};
  EXPECT_FALSE(solve(data, LogisticLoss{}, Zero{}, options).duality_gap);
  const Result nonconvex = solve(data, SigmoidLoss{}, L2Ball{.radius = 1}, options);
  EXPECT_FALSE(nonconvex.duality_gap);
  EXPECT_TRUE(nonconvex.stationarity_gap);
  const Result pca =
      solve(data, PcaLoss{}, L2Ball{.radius = 1}, {.method = ProxGd{}, .stop = {.steps = 500}});
  EXPECT_LE(pca.stationarity_gap.value(), 1e-9);
  EXPECT_FALSE(pca.duality_gap);
}

}  // namespace
}  // namespace asynprox
