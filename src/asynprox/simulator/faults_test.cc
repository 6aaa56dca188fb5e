// Thousands of schedules of lost, doubled and late messages and of workers that die and return: the
// books balance at every step (the server itself throws where they do not), no gradient is older
// than the bound, none is applied twice, and the run comes to its end.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "asynprox/algorithm/methods/all.h"
#include "asynprox/base/hash.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/sampling/all.h"
#include "asynprox/simulator/compute_times/all.h"
#include "asynprox/simulator/simulation.h"
#include "asynprox/step_sizes/all.h"

namespace asynprox {
namespace {

constexpr std::size_t kSamples = 40;
constexpr std::int64_t kSteps = 40;

// F_i(x) = x_i: the gradient of sample i is unit vector i, so the model counts what was applied.
struct Coordinates {
  std::size_t dimension() const { return kSamples; }
  std::size_t num_samples() const { return kSamples; }
  double value(std::span<const double> x, Samples samples) const {
    double sum = 0;
    for (const SampleIndex i : samples) sum += x[i];
    return sum;
  }
  void add_gradient(std::span<const double>, Samples samples, std::span<const double>,
                    std::span<double> g) const {
    for (const SampleIndex i : samples) g[i] += 1;
  }
  void add_keys(Samples samples, KeySet& keys) const {
    for (const SampleIndex i : samples) keys.add(static_cast<Key>(i));
  }
  double mean_keys() const { return 1; }
};

// Everything about a run that its seed decides.
struct Schedule {
  Cluster cluster;
  int workers, slots;
  ServerOptions server;
  bool lazy;

  explicit Schedule(std::uint64_t seed) {
    const Random random = Random(seed).stream(0xfa);
    std::uint64_t draws = 0;
    const auto whole = [&](int low, int high) {
      return low + static_cast<int>(random.index_at(draws++, high - low + 1));
    };
    const auto maybe = [&](double most) {
      return whole(0, 2) == 0 ? 0 : most * random.uniform_at(draws++);
    };
    workers = whole(1, 6);
    server.pushes_per_step = whole(1, 5);
    server.staleness_max = whole(0, 4);
    server.batch_size = std::int64_t{2} * server.pushes_per_step;
    server.staleness_policy = whole(0, 1) == 0 ? StalenessPolicy::hold : StalenessPolicy::recompute;
    server.hash_steps = true;
    lazy = whole(0, 1) == 0;
    cluster.compute = whole(0, 1) == 0 ? AnyComputeTime(ExponentialTime{.rate = 200})
                                       : AnyComputeTime(LognormalTime{.rate = 200});
    cluster.faults = {.loss = maybe(0.3),
                      .duplication = maybe(0.3),
                      .reordering = maybe(0.5),
                      .lateness = 0.2,
                      .deaths = maybe(2),
                      .away = 0.2};
    if (whole(0, 3) == 0)
      cluster.outages = {{.worker = 0, .from = maybe(1), .until = 2},
                         {.worker = whole(0, workers - 1), .from = 0.5, .until = 1.5}};
    cluster.pipelined = whole(0, 3) == 0;
    cluster.fused = cluster.faults.of_messages() || whole(0, 1) == 0;
    cluster.push_seconds = maybe(0.01);
    cluster.step_seconds = maybe(0.01);
    cluster.detection = 0.05;
    cluster.timeout = 0.3;
    slots = workers * (cluster.pipelined ? 2 : 1);
  }
};

struct Outcome {
  StopReason reason;
  Ledger ledger;
  std::int64_t staleness_max, accepted, accepted_twice;
  Vector x;
  SimulationReport report;
  std::uint64_t hash;
};

Outcome run(std::uint64_t seed) {
  const Schedule schedule(seed);
  // Bounds that no step reaches: without them f falls without limit, and the run ends for that.
  const Problem problem = make_problem(Coordinates{}, Box{.lower = -1e6, .upper = 1e6});
  const Vector x0(kSamples, 0);
  Server server(schedule.lazy ? make_lazy_state(x0, problem.h) : make_dense_state(x0, problem.h),
                ConstantStep{.value = 1}, {}, schedule.server, Stopping({.steps = kSteps}, 1),
                EvaluationSchedule::every(10));
  std::vector<Worker> workers;
  workers.reserve(schedule.slots);
  for (int slot = 0; slot < schedule.slots; ++slot)
    workers.emplace_back(
        problem.f, AsynProxSgd{}, Replacement{},
        WorkerOptions{.worker = slot, .seed = seed, .samples_per_push = 2, .keyed = schedule.lazy});
  std::set<PushId> accepted;
  std::int64_t twice = 0;
  Recorder recorder([&](std::span<const Event> events) {
    for (const Event& event : events)
      if (event.kind == EventKind::push && event.outcome == 0)
        twice += !accepted
                      .insert({event.worker, static_cast<int>(event.message.incarnation),
                               event.message.sequence})
                      .second;
  });
  VirtualClock clock;
  Monitor monitor(problem, recorder, {.seconds_max = 1e5, .virtual_seconds = &clock.seconds});
  const SimulationReport report =
      run_simulation(server, workers, monitor, recorder, schedule.cluster, {}, seed, clock);
  return {*server.stop_reason(),
          server.ledger(),
          server.staleness().max,
          static_cast<std::int64_t>(accepted.size()),
          twice,
          server.iterate(),
          report,
          server.steps_hash()};
}

class FaultSchedules : public testing::TestWithParam<int> {};

TEST_P(FaultSchedules, KeepTheBooksAndTheBound) {
  SimulationReport all;
  const std::uint64_t first = 1000 * static_cast<std::uint64_t>(GetParam());
  for (std::uint64_t seed = first; seed < first + 1000; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const Schedule schedule(seed);
    const Outcome outcome = run(seed);
    ASSERT_EQ(outcome.reason, StopReason::step_limit);
    ASSERT_TRUE(outcome.ledger.balanced());
    ASSERT_LE(outcome.staleness_max, schedule.server.staleness_max);
    ASSERT_EQ(outcome.accepted_twice, 0);
    ASSERT_EQ(outcome.accepted, outcome.ledger.applied + outcome.ledger.pending);
    ASSERT_EQ(outcome.ledger.applied, kSteps * schedule.server.pushes_per_step);
    // The model moved by two samples for each push applied, wherever it moved.
    double moved = 0;
    for (const double x : outcome.x) moved -= x;
    ASSERT_NEAR(moved, static_cast<double>(kSteps), 1e-9);
    all.lost += outcome.report.lost;
    all.duplicated += outcome.report.duplicated;
    all.late += outcome.report.late;
    all.deaths += outcome.report.deaths;
    all.asked_again += outcome.report.asked_again;
  }
  // It did happen.
  EXPECT_GT(all.lost, 10'000);
  EXPECT_GT(all.duplicated, 10'000);
  EXPECT_GT(all.late, 10'000);
  EXPECT_GT(all.deaths, 1000);
  EXPECT_GT(all.asked_again, 10'000);
}

INSTANTIATE_TEST_SUITE_P(Thousands, FaultSchedules, testing::Range(0, 10));

TEST(FaultSchedule, IsTheSameForTheSameSeed) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Outcome one = run(seed), two = run(seed);
    EXPECT_EQ(one.hash, two.hash) << "seed " << seed;
    EXPECT_EQ(one.x, two.x);
    EXPECT_EQ(one.report.messages, two.report.messages);
    EXPECT_EQ(one.ledger.received, two.ledger.received);
  }
}

}  // namespace
}  // namespace asynprox
