// Seeded schedules of lost, doubled and late messages and of workers that die and return, for the
// methods whose workers remember something of their samples, in lazy and dense models: there a lost
// reply may carry the news that samples were dealt anew. Each run comes to its end without an
// error, its books balance, no gradient is older than the bound, and the objective is finite.
//
// ASYNPROX_FAULT_SCHEDULES=10000 runs that many instead of the usual number.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "asynprox/cluster.h"
#include "asynprox/methods.h"
#include "asynprox/solve.h"
#include "asynprox/step_sizes.h"

namespace asynprox {
namespace {

constexpr int kSchedules = 1000;
constexpr std::int64_t kSteps = 100;

int num_schedules() {
  const char* const wanted = std::getenv("ASYNPROX_FAULT_SCHEDULES");
  return wanted ? std::max(1, std::atoi(wanted)) : kSchedules;
}

const Dataset& generated() {
  static const Dataset data = read_dataset("generate:sparse-logistic:n=120,d=60,nonzeros=4,seed=3");
  return data;
}

// Everything about a run that its seed decides.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : random_(Random(seed).stream(0x6661756c74)) {}

  int whole(int low, int high) {
    return low + static_cast<int>(random_.index_at(draws_++, high - low + 1));
  }
  double up_to(double most) { return most * random_.uniform_at(draws_++); }
  double maybe(double most) { return whole(0, 2) == 0 ? 0 : up_to(most); }

 private:
  Random random_;
  std::uint64_t draws_ = 0;
};

// Half of the runs are of SAGA in a lazy model.
void draw_method(Draws& draws, Options& options) {
  const int choice = draws.whole(0, 5);
  options.state = choice < 4 ? StateChoice::lazy : StateChoice::dense;
  if (choice == 3)
    options.method = AsynProxSgd{};
  else if (choice == 5)
    options.method = AsynProxSvrg{};
  else
    options.method = AsynProxSaga{};
}

Cluster draw_cluster(Draws& draws, int workers) {
  Cluster cluster;
  cluster.compute = draws.whole(0, 1) == 0 ? AnyComputeTime(ExponentialTime{.rate = 200})
                                           : AnyComputeTime(LognormalTime{.rate = 200});
  cluster.faults = {.loss = draws.maybe(0.3),
                    .duplication = draws.maybe(0.3),
                    .reordering = draws.maybe(0.5),
                    .lateness = 0.2,
                    .deaths = draws.maybe(1),
                    .away = 0.2};
  if (draws.whole(0, 3) == 0)
    cluster.outages = {{.worker = 0, .from = draws.up_to(1), .until = 2},
                       {.worker = draws.whole(0, workers - 1), .from = 0.5, .until = 1.5}};
  cluster.pipelined = draws.whole(0, 3) == 0;
  cluster.fused = cluster.faults.of_messages() || draws.whole(0, 1) == 0;
  cluster.push_seconds = draws.maybe(0.01);
  cluster.step_seconds = draws.maybe(0.01);
  cluster.detection = draws.up_to(0.2);
  // Long enough that messages which are sent again do not by themselves take all of its time.
  cluster.timeout = 0.3 + draws.up_to(0.3);
  return cluster;
}

Options schedule(std::uint64_t seed) {
  Draws draws(seed);
  Options options = {.step = ConstantStep{.value = 0.1},
                     .workers = draws.whole(1, 5),
                     .stop = {.steps = kSteps},
                     .trace_every = 25,
                     .runtime = Runtime::simulated,
                     .seed = seed};
  draw_method(draws, options);
  options.pushes_per_step = draws.whole(1, options.workers + 1);
  options.batch_size = std::int64_t{draws.whole(1, 3)} * *options.pushes_per_step;
  options.staleness_max = draws.whole(0, 6);
  options.staleness_policy =
      draws.whole(0, 1) == 0 ? StalenessPolicy::hold : StalenessPolicy::recompute;
  options.cluster = draw_cluster(draws, options.workers);
  return options;
}

TEST(FaultSchedules, OfMethodsThatRememberEndWellWhateverIsLost) {
  SimulationReport all;
  const int schedules = num_schedules();
  for (int seed = 1; seed <= schedules; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const Options options = schedule(static_cast<std::uint64_t>(seed));
    Result result;
    ASSERT_NO_THROW(result = solve(generated(), LogisticLoss{}, L1{.lambda = 1e-3}, options));
    ASSERT_EQ(result.stop_reason, StopReason::step_limit);
    ASSERT_EQ(result.steps, kSteps);
    ASSERT_TRUE(result.ledger.balanced());
    ASSERT_EQ(result.ledger.applied, kSteps * *options.pushes_per_step);
    ASSERT_LE(result.staleness.max, *options.staleness_max);
    ASSERT_TRUE(std::isfinite(result.objective));
    ASSERT_LE(result.objective, result.trace.front().objective);
    all.lost += result.simulation->lost;
    all.duplicated += result.simulation->duplicated;
    all.late += result.simulation->late;
    all.deaths += result.simulation->deaths;
    all.asked_again += result.simulation->asked_again;
  }
  // It did happen.
  EXPECT_GT(all.lost, 10 * schedules);
  EXPECT_GT(all.duplicated, 10 * schedules);
  EXPECT_GT(all.late, 10 * schedules);
  EXPECT_GT(all.deaths, schedules);
  EXPECT_GT(all.asked_again, 10 * schedules);
}

// Half of the first messages are lost, so that a worker may be gone for good before it is heard of.
TEST(FaultSchedules, OfAWorkerThatIsGoneAtOnceEndWell) {
  for (int seed = 1; seed <= num_schedules() / 10; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Options options = {.step = ConstantStep{.value = 0.01},
                       .workers = 2 + seed % 2,
                       .stop = {.steps = 30},
                       .runtime = Runtime::simulated,
                       .seed = static_cast<std::uint64_t>(seed)};
    if (seed % 2 == 0)
      options.method = AsynProxSaga{};
    else
      options.method = AsynProxSvrg{};
    options.cluster.faults = {.loss = 0.5};
    options.cluster.timeout = 0.3;
    options.cluster.outages = {{.worker = 1, .from = 0.001 * (seed % 5)}};
    options.stop.seconds = 1e6;  // instead of for ever
    const Result result = solve(generated(), LogisticLoss{}, L1{.lambda = 1e-3}, options);
    ASSERT_EQ(result.stop_reason, StopReason::step_limit);
  }
}

// Workers that leave and return while others compute, a step is under way or a model waits for
// them.
TEST(FaultSchedules, OfThreadsThatLeaveAndReturnEndWell) {
  for (int seed = 1; seed <= num_schedules() / 10; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Options options = schedule(static_cast<std::uint64_t>(seed));
    options.runtime = Runtime::threads;
    options.workers = std::min(options.workers, 3);
    options.pushes_per_step = std::min(*options.pushes_per_step, options.workers);
    options.batch_size = std::int64_t{2} * *options.pushes_per_step;
    for (int life = 0; life < 4; ++life)
      options.absences.push_back({.worker = (seed + life) % options.workers,
                                  .after_pushes = 1 + (7 * seed + 13 * life) % 40,
                                  .seconds = 0.0001});
    Result result;
    ASSERT_NO_THROW(result = solve(generated(), LogisticLoss{}, L1{.lambda = 1e-3}, options));
    ASSERT_EQ(result.stop_reason, StopReason::step_limit);
    ASSERT_TRUE(result.ledger.balanced());
    ASSERT_LE(result.staleness.max, *options.staleness_max);
    ASSERT_TRUE(std::isfinite(result.objective));
  }
}

}  // namespace
}  // namespace asynprox
