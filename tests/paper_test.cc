// What Algorithm 1 gives on the paper's data: known from an independent simulator, found again by
// ours on the library's own server and worker.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>

#include "asynprox/cluster.h"
#include "asynprox/methods.h"
#include "asynprox/solve.h"

#include "reproduce/speedup.h"
#include "reproduce/study.h"
#include "tests/real_data_testing.h"

namespace asynprox::reproduce {
namespace {

// What a message takes where known figures are of time, in seconds each way. They do not say: it is
// fitted to them (UnevenWorkers, TunedApart), and one number has to do for all of them.
constexpr double kFittedLatency = 6e-4;

// The cluster of the known figures: nothing but compute times, and messages if they cost something.
Study study(int seeds = 10, double latency = 0) {
  Study study;
  study.seeds = seeds;
  study.cluster.latency_up = study.cluster.latency_down = latency;
  study.cluster.rate_up = study.cluster.rate_down = 1e18;
  return study;
}

const PaperProblem& problem(const std::string& name) {
  static std::map<std::string, PaperProblem> known;
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  const ReadOptions options = name == "mnist" ? ReadOptions{.dimension = 780} : ReadOptions{};
  return known.emplace(name, make_problem(name, real_data(name + ".xz", options), true, false, 0))
      .first->second;
}

// 1, 2, 4 and 8 workers; m = p, or so many pushes per step.
std::vector<Passages> runs(const std::string& name, double factor, int seeds = 10,
                           std::optional<int> pushes = {}) {
  std::vector<Passages> all;
  for (const int workers : kPaperWorkers) {
    Options options = study().algorithm_1(problem(name), workers, factor);
    if (pushes) options.pushes_per_step = *pushes;
    all.push_back(passages(problem(name), options, study(seeds).seed_numbers(), {}));
  }
  return all;
}

std::vector<double> steps_of(const Passages& runs) {
  std::vector<double> steps;
  for (const CurvePoint& point : runs.first) steps.push_back(point.steps);
  return steps;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

struct WholeSteps {
  std::string data;
  double factor;
  double steps;
};

class StepsToTheTarget : public testing::TestWithParam<WholeSteps> {};

TEST_P(StepsToTheTarget, AreTheSameForEveryNumberOfWorkersAndEverySeed) {
  ASYNPROX_NEEDS_REAL_DATA();
  const auto& [data, factor, steps] = GetParam();
  for (const Passages& these : runs(data, factor))
    EXPECT_EQ(steps_of(these), std::vector<double>(10, steps)) << these.workers << " workers";
}

INSTANTIATE_TEST_SUITE_P(Data, StepsToTheTarget,
                         testing::Values(WholeSteps{"a9a", 0.5, 9}, WholeSteps{"mnist", 0.5, 8},
                                         WholeSteps{"mnist", 1, 5}),
                         [](const auto& which) {
                           return which.param.data + (which.param.factor < 1 ? "_half" : "_whole");
                         });

TEST(StepsToTheTarget, OfTheLongerStepOnA9aRiseByOne) {
  ASYNPROX_NEEDS_REAL_DATA();
  const std::vector<Passages> all = runs("a9a", 1);
  EXPECT_EQ(steps_of(all[0]), std::vector<double>(10, 5));
  for (const double steps : steps_of(all[1])) EXPECT_TRUE(steps == 5 || steps == 6) << steps;
  EXPECT_EQ(steps_of(all[2]), std::vector<double>(10, 6));
  EXPECT_EQ(steps_of(all[3]), std::vector<double>(10, 6));
}

void expect_interpolated(const std::string& name, const std::array<double, 4>& known) {
  const std::vector<Speedup> found = speedups(runs(name, 1));
  for (std::size_t i = 0; i < known.size(); ++i)
    EXPECT_NEAR(found[i].steps_interpolated.mean, known[i], 0.08)
        << name << ", " << found[i].workers << " workers";
}

TEST(InterpolatedSteps, AreTheKnownOnes) {
  ASYNPROX_NEEDS_REAL_DATA();
  expect_interpolated("a9a", {4.76, 4.99, 5.12, 5.18});
  expect_interpolated("mnist", {4.32, 4.51, 4.61, 4.66});
}

TEST(WholeBatchAPush, GivesThePapersRowOnA9a) {
  ASYNPROX_NEEDS_REAL_DATA();
  const std::vector<Passages> all = runs("a9a", 0.5, 40, 1);
  const std::vector<Speedup> found = speedups(all);
  const std::array<double, 4> steps = {9, 9, 10, 12}, known = {1, 2.00, 3.60, 6.01};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(median(steps_of(all[i])), steps[i]) << found[i].workers << " workers";
    EXPECT_NEAR(found[i].iteration.mean, known[i], 0.08) << found[i].workers << " workers";
  }
}

TEST(WholeBatchAPush, GivesThePapersRowOnMnistWithAShortStep) {
  ASYNPROX_NEEDS_REAL_DATA();
  const std::vector<Speedup> found = speedups(runs("mnist", 0.08, 4, 1));
  const std::array<double, 4> known = {1, 1.97, 3.84, 7.37};
  for (std::size_t i = 0; i < known.size(); ++i)
    EXPECT_NEAR(found[i].iteration.mean, known[i], 0.05) << found[i].workers << " workers";
}

// In a long run, whatever the speeds.
double long_run_staleness(int workers, int pushes, bool pipelined, const Vector& speeds) {
  Options options = study().algorithm_1(problem("a9a"), workers, 0.5);
  options.pushes_per_step = pushes;
  options.batch_size = 8 * pushes;
  options.stop = {.steps = 40000 / pushes};
  options.trace_every = 1000000;
  options.cluster.pipelined = pipelined;
  options.speeds = speeds;
  return measure(problem("a9a"), options, -1, {}).staleness_mean;
}

TEST(MeanStaleness, IsTheNumberOfOthersOverThePushesAStep) {
  ASYNPROX_NEEDS_REAL_DATA();
  for (const Vector& speeds : {Vector{}, Vector{0.25, 2}})
    for (const int p : {2, 4, 8})
      for (const int m : {1, p}) {
        EXPECT_NEAR(long_run_staleness(p, m, false, speeds), (p - 1.0) / m, 0.01 * (p - 1.0) / m)
            << p << " workers, m = " << m;
        EXPECT_NEAR(long_run_staleness(p, m, true, speeds), (2.0 * p - 1) / m,
                    0.01 * (2.0 * p - 1) / m)
            << p << " workers, pipelined, m = " << m;
      }
}

struct Uneven {
  std::string name;
  double slow_speed;
  bool exponential;
  double asynchronous, synchronous;  // known, to a digit
};

// Time speedups of 8 workers over one.
TEST(UnevenWorkers, CostTheSynchronousFarMore) {
  ASYNPROX_NEEDS_REAL_DATA();
  for (const auto& [name, slow_speed, exponential, asynchronous, synchronous] :
       {Uneven{"even", 1, false, 5.6, 5.7}, Uneven{"4 times slower", 0.25, false, 5.2, 1.9},
        Uneven{"10 times slower", 0.1, false, 5.0, 0.8},
        Uneven{"exponential", 1, true, 6.1, 3.1}}) {
    const auto options_of = [&](int workers) {
      Options options = study(40, kFittedLatency).algorithm_1(problem("a9a"), workers, 1);
      if (exponential) options.cluster.compute = ExponentialTime{};
      if (workers > 1) options.speeds = {slow_speed};
      return options;
    };
    Options waiting = options_of(8);
    waiting.method = ProxSgd{};
    waiting.staleness_max = {};
    const auto run = [&](const Options& options) {
      return passages(problem("a9a"), options, study(exponential ? 200 : 40).seed_numbers(), {});
    };
    const std::vector<Speedup> found =
        speedups({run(options_of(1)), run(options_of(8)), run(waiting)});
    EXPECT_NEAR(found[1].time.mean, asynchronous, 0.07 * asynchronous) << name;
    EXPECT_NEAR(found[2].time.mean, synchronous, 0.07 * synchronous) << name;
  }
}

// The time of the fastest of these steps, as factors of 1/L, and batches.
double best_seconds(const std::string& name, int workers, const std::vector<double>& factors,
                    const std::vector<std::int64_t>& batches) {
  const Study slow_network = study(40, kFittedLatency);
  double best = std::numeric_limits<double>::infinity();
  for (const double factor : factors)
    for (const std::int64_t batch : batches) {
      Options options = slow_network.algorithm_1(problem(name), workers, factor);
      options.batch_size = batch;
      options.stop = {.steps = 40};
      best = std::min(best, mean_seconds_first(
                                passages(problem(name), options, slow_network.seed_numbers(), {})));
    }
  return best;
}

double tuned_apart(const std::string& name, const std::vector<double>& factors,
                   const std::vector<std::int64_t>& batches) {
  return best_seconds(name, 1, factors, batches) / best_seconds(name, 8, factors, batches);
}

TEST(TunedApart, EightWorkersAreAsMuchFasterAsKnownWhereStepAndBatchAreGiven) {
  ASYNPROX_NEEDS_REAL_DATA();
  EXPECT_NEAR(tuned_apart("a9a", {1}, {kBatch}), 5.7, 0.02 * 5.7);
  EXPECT_NEAR(tuned_apart("mnist", {1}, {kBatch}), 6.7, 0.02 * 6.7);
}

// The least batch, 512, and the longest step, 6/L, are fitted to the known figures as the latency
// is: the figures do not say what was tried. The first hangs on the longest step most. Up to 6/L
// the best of one worker takes 2 steps and that of eight takes 3; up to 4/L both take 3, up to 8/L
// both take 2, and it is about 3.
TEST(TunedApart, OneWorkerIsFarCloserToEightWhereStepAndBatchAreFree) {
  ASYNPROX_NEEDS_REAL_DATA();
  const std::vector<std::int64_t> batches = {512, 1024, kBatch};
  EXPECT_NEAR(tuned_apart("a9a", {1, 2, 3, 4, 5, 6}, batches), 2.2, 0.1 * 2.2);
  EXPECT_NEAR(tuned_apart("a9a", {0.5, 1}, batches), 3.1, 0.1 * 3.1);
}

// What a9a and mnist are with their columns centred.
const PaperProblem& centered(const std::string& name) {
  static std::map<std::string, PaperProblem> known;
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  const Dataset& data = problem(name).data;
  return known.emplace(name, make_problem(name, data, true, true, 0)).first->second;
}

struct Centered {
  std::string data;
  double lipschitz, optimum;
  std::array<double, 4> steps;  // means, to 1e-3 with eta = 1/L
};

class CenteredColumns : public testing::TestWithParam<Centered> {};

TEST_P(CenteredColumns, NeedTheKnownSteps) {
  ASYNPROX_NEEDS_REAL_DATA();
  const auto& [data, lipschitz, optimum, steps] = GetParam();
  const PaperProblem& hard = centered(data);
  EXPECT_NEAR(hard.lipschitz(), lipschitz, 1e-7);
  EXPECT_NEAR(hard.reference.optimum, optimum, 1e-11);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Passages these =
        passages(hard, study().algorithm_1(hard, kPaperWorkers[i], 1), study().seed_numbers(), {});
    EXPECT_NEAR(speedups({these}).front().steps.mean, steps[i], 0.4)
        << kPaperWorkers[i] << " workers";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Data, CenteredColumns,
    testing::Values(Centered{"a9a", 0.0672755, -0.021142696258234, {13, 14.9, 15.9, 16.4}},
                    Centered{"mnist", 0.0562447, -0.016326495894732, {7, 8, 8, 8}}),
    [](const auto& which) { return which.param.data; });

}  // namespace
}  // namespace asynprox::reproduce
