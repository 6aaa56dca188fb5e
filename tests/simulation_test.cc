// The simulated runtime, in whole runs: it equals the serial one where there is no delay, and what
// it says of delays and time agrees with what can be known without it.
#include <gtest/gtest.h>

#include <limits>

#include "asynprox/base/errors.h"
#include "asynprox/cluster.h"
#include "asynprox/run_record.h"
#include "asynprox/solve.h"
#include "asynprox/step_sizes/all.h"

#include "tests/all_methods_testing.h"
#include "tests/generated_data_testing.h"

namespace asynprox {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Cluster without_delays() {
  return {.compute = ConstantTime{.rate = kInfinity},
          .latency_up = 0,
          .latency_down = 0,
          .rate_up = kInfinity,
          .rate_down = kInfinity};
}

// One sample a push, so that a second of virtual time is a push.
Cluster even(double push_seconds = 0) {
  Cluster cluster = without_delays();
  cluster.compute = ConstantTime{.rate = 1};
  cluster.push_seconds = push_seconds;
  return cluster;
}

Result run(Options options, const AnyRegularizer& h = L1{.lambda = 1e-3}) {
  if (!options.method) options.method = AsynProxSgd{};
  return solve(generated(), LogisticLoss{}, h, options);
}

void expect_same_bits(const Result& a, const Result& b) {
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.staleness.histogram, b.staleness.histogram);
  ASSERT_EQ(a.trace.size(), b.trace.size());
  for (std::size_t i = 0; i < a.trace.size(); ++i) {
    EXPECT_EQ(a.trace[i].objective, b.trace[i].objective);
    EXPECT_EQ(a.trace[i].gradient_mapping, b.trace[i].gradient_mapping);
  }
}

TEST(Simulation, WithoutDelaysEqualsSerialToTheBit) {
  for (const int workers : {1, 2, 5})
    for (const AnyMethod& method : all_methods())
      for (const StateChoice state : {StateChoice::dense, StateChoice::lazy}) {
        if (method.traits().lazy == LazyForm::none && state == StateChoice::lazy) continue;
        // Passes of a refinement take no virtual time, so that there is no such run.
        if (method.traits().control == StepControl::refinements) continue;
        Options options = {.method = method,
                           .workers = workers,
                           .stop = {.epochs = 3},
                           .runtime = Runtime::serial,
                           .cluster = without_delays(),
                           .state = state};
        const Result serial = run(options);
        options.runtime = Runtime::simulated;
        const Result simulated = run(options);
        SCOPED_TRACE(std::string(method.name()) + " " + std::to_string(workers));
        expect_same_bits(serial, simulated);
        EXPECT_EQ(simulated.seconds, 0);
      }
}

TEST(Simulation, IsTheSameForTheSameSeedAndAnotherForAnother) {
  const Options options = {.workers = 7, .stop = {.epochs = 3}, .runtime = Runtime::simulated};
  const Result one = run(options), two = run(options);
  expect_same_bits(one, two);
  EXPECT_EQ(one.seconds, two.seconds);
  Options other = options;
  other.seed = 2;
  EXPECT_NE(run(other).seconds, one.seconds);
}

// Any speeds, any distribution: a push finds that the p - 1 others have pushed once meanwhile, on
// average, and m pushes are a step.
TEST(Simulation, HasTheMeanStalenessOfTheLaw) {
  for (const int p : {2, 5, 8})
    for (const int m : {1, 3, 8})
      for (const bool pipelined : {false, true}) {
        Cluster cluster = {.compute = ExponentialTime{}, .pipelined = pipelined};
        const Result result = run({.workers = p,
                                   .batch_size = 4 * m,
                                   .pushes_per_step = m,
                                   .staleness_max = 1000,
                                   .stop = {.steps = 60'000 / m},
                                   .runtime = Runtime::simulated,
                                   .speeds = {1, 0.5},
                                   .cluster = cluster});
        const double expected = ((pipelined ? 2.0 : 1.0) * p - 1) / m;
        EXPECT_NEAR(result.staleness.mean(), expected, 0.01 * expected)
            << p << " workers, m = " << m << (pipelined ? ", pipelined" : "");
      }
}

TEST(Simulation, KeepsTheBound) {
  for (const StalenessPolicy policy : {StalenessPolicy::hold, StalenessPolicy::recompute})
    for (const std::int64_t T : {0, 1, 3})
      for (const int m : {1, 2, 6}) {
        const Result result = run({.workers = 6,
                                   .batch_size = 2 * m,
                                   .pushes_per_step = m,
                                   .staleness_max = T,
                                   .staleness_policy = policy,
                                   .stop = {.steps = 500},
                                   .runtime = Runtime::simulated,
                                   .speeds = {0.1, 1, 1, 3},
                                   .cluster = {.compute = ExponentialTime{}}});
        EXPECT_LE(result.staleness.max, T);
        EXPECT_TRUE(result.ledger.balanced());
        EXPECT_EQ(result.steps, 500);
      }
}

// Four even workers that compute for a second each push four gradients per second.
TEST(Simulation, TimesWhatCanBeTimedByHand) {
  const Options options = {.workers = 4,
                           .batch_size = 4,
                           .stop = {.steps = 10},
                           .runtime = Runtime::simulated,
                           .cluster = even()};
  EXPECT_DOUBLE_EQ(run(options).seconds, 10);

  // The server takes 0.1 s a push: the fourth of a step is done at 1.4, then there is a queue.
  Options slow_server = options;
  slow_server.stop.steps = 1;
  slow_server.cluster = even(0.1);
  EXPECT_DOUBLE_EQ(run(slow_server).seconds, 1.4);
  slow_server.stop.steps = 50;
  slow_server.cluster.push_seconds = 0.5;  // busier than it can be: two pushes per second
  const Result saturated = run(slow_server);
  EXPECT_NEAR(saturated.seconds, 100, 2);
  EXPECT_GT(saturated.simulation->server_busy, 0.98);

  // Up 1 s, down 2 s, with the first pull: a push is at the server 3 + 1 + 1 seconds after the
  // start, and then every 4 seconds.
  Options far = options;
  far.cluster.latency_up = 1;
  far.cluster.latency_down = 2;
  EXPECT_DOUBLE_EQ(run(far).seconds, 5 + 9 * 4);
  // Asking for the model apart costs another way there and back.
  far.cluster.fused = false;
  EXPECT_DOUBLE_EQ(run(far).seconds, 5 + 9 * 7);
}

TEST(Simulation, APipelinedWorkerHidesTheNetwork) {
  Options options = {.workers = 2,
                     .batch_size = 2,
                     .stop = {.steps = 1000},
                     .runtime = Runtime::simulated,
                     .cluster = even()};
  options.cluster.latency_up = options.cluster.latency_down = 0.5;
  const double plain = run(options).seconds;
  options.cluster.pipelined = true;
  const Result pipelined = run(options);
  EXPECT_NEAR(plain, 2000, 10);
  EXPECT_NEAR(pipelined.seconds, 1000, 10);
  EXPECT_GT(pipelined.simulation->computing, 0.98);
}

TEST(Simulation, ASlowWorkerHoldsUpTheSynchronousMethodOnly) {
  Options options = {.method = ProxSgd{},
                     .workers = 4,
                     .batch_size = 4,
                     .stop = {.steps = 100},
                     .runtime = Runtime::simulated,
                     .cluster = even()};
  options.speeds = {0.25};
  EXPECT_DOUBLE_EQ(run(options).seconds, 400);
  // Steps of the first three of four do not wait for it.
  Options backup = options;
  backup.pushes_per_step = 3;
  backup.batch_size = 3;
  const Result with_backup = run(backup);
  EXPECT_NEAR(with_backup.seconds, 100, 5);
  EXPECT_EQ(with_backup.staleness.max, 0);
  // Samples in proportion to speed: 13 a step take a second on speed 4 and 0.25 alike.
  Options shares = options;
  shares.batch_size = 52;
  shares.shares = {1, 4, 4, 4};
  EXPECT_DOUBLE_EQ(run(shares).seconds, 100 * 16);
  options.method = AsynProxSgd{};
  EXPECT_NEAR(run(options).seconds, 400 / 3.25, 4);
}

TEST(Simulation, GoesOnWithoutAWorkerThatIsGoneAndTakesItBack) {
  Options options = {.workers = 2,
                     .batch_size = 1,
                     .pushes_per_step = 1,
                     .stop = {.steps = 300},
                     .runtime = Runtime::simulated,
                     .cluster = even()};
  options.cluster.outages = {{.worker = 1, .from = 50.5, .until = 150.5}};
  const Result result = run(options);
  EXPECT_EQ(result.simulation->deaths, 1);
  // 100 steps by two, 100 by one alone while the bound lets it, 100 by two.
  EXPECT_NEAR(result.seconds, 200, 5);
  EXPECT_NEAR(result.simulation->away, 0.25, 0.02);
  options.cluster.outages = {{.worker = 0, .from = 10.5}, {.worker = 1, .from = 10.5}};
  const Result abandoned = run(options);
  EXPECT_TRUE(abandoned.simulation->no_worker_left);
  EXPECT_EQ(abandoned.steps, 20);
}

// Others wait for the share of samples of a worker that takes part, whose first message may never come.
TEST(Simulation, GoesOnWithoutAWorkerThatWasNeverHeardOf) {
  for (const AnyMethod& method : {AnyMethod(AsynProxSaga{}), AnyMethod(AsynProxSvrg{})})
    for (const double from : {0.0, 0.5}) {
      Options options = {.method = method,
                         .step = ConstantStep{.value = 0.01},
                         .workers = 3,
                         .stop = {.epochs = 3},
                         .runtime = Runtime::simulated,
                         .cluster = even()};
      options.cluster.outages = {{.worker = 1, .from = from}};
      if (from > 0)
        options.cluster.latency_up = 1;  // the news that it is gone comes before its pull
      const Result result = run(options);
      EXPECT_FALSE(result.simulation->no_worker_left) << method.name() << " " << from;
      EXPECT_EQ(result.stop_reason, StopReason::epoch_limit);
    }
}

// The longer of two that overlap counts, whichever comes first.
TEST(Simulation, StaysAwayForAsLongAsAnyOutageSays) {
  Options options = {.workers = 2,
                     .batch_size = 1,
                     .pushes_per_step = 1,
                     .stop = {.seconds = 100},
                     .runtime = Runtime::simulated,
                     .cluster = even()};
  for (const double until : {30.0, 60.0, kInfinity}) {
    options.cluster.outages = {{.worker = 1, .from = 10, .until = 30},
                               {.worker = 1, .from = 20, .until = until}};
    const Result result = run(options);
    EXPECT_EQ(result.simulation->deaths, 1);
    EXPECT_DOUBLE_EQ(result.simulation->away, (std::min(until, 100.0) - 10) / 200);
  }
}

// What a worker does at any time, it computes, waits on the way or at the server, or is away.
TEST(Simulation, AccountsForAllTheTimeOfItsWorkers) {
  for (const Outage& outage : {Outage{.worker = 0, .from = 1e9}, Outage{.worker = 0, .from = 3.5},
                               Outage{.worker = 0, .from = 3.5, .until = 7.2}}) {
    Options options = {.workers = 3,
                       .batch_size = 3,
                       .stop = {.seconds = 20.3},
                       .runtime = Runtime::simulated,
                       .cluster = even(0.05)};
    options.cluster.latency_up = options.cluster.latency_down = 0.3;
    options.cluster.outages = {outage};
    const SimulationReport shares = *run(options).simulation;
    const double all = shares.computing + shares.on_network + shares.at_server + shares.away;
    EXPECT_LE(all, 1 + 1e-12);
    EXPECT_GT(all, 0.95);  // letters on their way at the end, or to the dead, are not counted
  }
}

TEST(Simulation, EndsAtTheLimitThoughNoLetterComes) {
  Options options = {.workers = 2,
                     .batch_size = 200,
                     .stop = {.seconds = 10},
                     .runtime = Runtime::simulated,
                     .cluster = even()};
  const Result result = run(options);
  EXPECT_EQ(result.stop_reason, StopReason::time_limit);
  EXPECT_EQ(result.steps, 0);
  EXPECT_DOUBLE_EQ(result.seconds, 10);
  EXPECT_DOUBLE_EQ(result.simulation->computing, 1);
}

TEST(Simulation, StopsAtALimitOfVirtualTime) {
  const Result result = run({.workers = 3,
                             .batch_size = 3,
                             .stop = {.seconds = 12.5},
                             .runtime = Runtime::simulated,
                             .cluster = even()});
  EXPECT_EQ(result.stop_reason, StopReason::time_limit);
  EXPECT_EQ(result.steps, 12);
}

TEST(Simulation, IsReplayedToTheBit) {
  std::vector<Event> events;
  Options options = {.method = AsynProxSgd{},
                     .workers = 5,
                     .staleness_max = 2,
                     .staleness_policy = StalenessPolicy::recompute,
                     .stop = {.epochs = 5},
                     .runtime = Runtime::simulated};
  options.cluster.faults.deaths = 20;
  options.cluster.faults.away = 0.01;
  options.cluster.detection = 0.001;
  options.on_events = [&](std::span<const Event> some) {
    events.insert(events.end(), some.begin(), some.end());
  };
  const Result recorded = run(options);
  EXPECT_GT(recorded.simulation->deaths, 0);
  std::size_t next = 0;
  const Replayed replayed =
      replay(generated(), LogisticLoss{}, L1{.lambda = 1e-3}, recorded.plan,
             [&]() -> std::optional<Event> {
               return next < events.size() ? std::optional(events[next++]) : std::nullopt;
             });
  EXPECT_FALSE(replayed.comparison.difference) << *replayed.comparison.difference;
  EXPECT_EQ(replayed.result.x, recorded.x);
}

TEST(Simulation, RefusesAClusterThatMakesNoSense) {
  const auto with = [](auto change) {
    Options options = {.workers = 2, .stop = {.steps = 1}, .runtime = Runtime::simulated};
    change(options.cluster);
    return options;
  };
  EXPECT_THROW(run(with([](Cluster& c) { c.latency_up = -1; })), ContractError);
  EXPECT_THROW(run(with([](Cluster& c) { c.rate_down = 0; })), ContractError);
  Options uneven = with([](Cluster&) {});
  uneven.speeds = {1, 0};
  EXPECT_THROW(run(uneven), ContractError);
  uneven.speeds = {1, 1, 1};
  EXPECT_THROW(run(uneven), ContractError);
  EXPECT_THROW(run(with([](Cluster& c) { c.faults.loss = 1; })), ContractError);
  EXPECT_THROW(run(with([](Cluster& c) { c.outages = {{.worker = 2}}; })), ContractError);
}

}  // namespace
}  // namespace asynprox
