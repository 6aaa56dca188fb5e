// Recorded runs, made again: the same bits, whatever the threads did.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>

#include "asynprox/base/random.h"
#include "asynprox/run/json.h"
#include "asynprox/run_record.h"
#include "asynprox/solve.h"
#include "asynprox/sums/linear_sum.h"

#include "tests/all_methods_testing.h"

namespace asynprox {
namespace {

struct Recorded {
  Options options;
  Result result;
  std::vector<Event> events;
};

const Dataset& generated() {
  static const Dataset data = read_dataset("generate:sparse-logistic:n=300,d=60,nonzeros=6,seed=3");
  return data;
}

Recorded record(const Options& options, const AnyRegularizer& h, const Dataset& data) {
  Recorded recorded{options, {}, {}};
  Options recording = options;
  recording.on_events = [&](std::span<const Event> events) {
    recorded.events.insert(recorded.events.end(), events.begin(), events.end());
  };
  recorded.result = solve(data, LogisticLoss{}, h, recording);
  return recorded;
}

Replayed replay_of(const Recorded& recorded, const AnyRegularizer& h, const Dataset& data) {
  std::size_t next = 0;
  const Plan plan = plan_from_json(plan_json(recorded.result.plan));
  return replay(data, LogisticLoss{}, h, plan, [&]() -> std::optional<Event> {
    if (next == recorded.events.size()) return std::nullopt;
    return recorded.events[next++];
  });
}

void expect_replays(const Options& options, const AnyRegularizer& h,
                    const Dataset& data = generated()) {
  const Recorded recorded = record(options, h, data);
  EXPECT_LE(recorded.result.staleness.max, recorded.result.plan.workers.staleness_max);
  EXPECT_TRUE(recorded.result.ledger.balanced());
  const Replayed again = replay_of(recorded, h, data);
  EXPECT_EQ(again.comparison.difference.value_or("none"), "none");
  EXPECT_EQ(again.result.x, recorded.result.x);
  EXPECT_EQ(again.result.steps, recorded.result.steps);
  EXPECT_EQ(again.result.objective, recorded.result.objective);
  EXPECT_EQ(again.result.ledger.refused, recorded.result.ledger.refused);
  EXPECT_EQ(again.result.staleness.histogram, recorded.result.staleness.histogram);
  EXPECT_EQ(again.comparison.pushes, recorded.result.ledger.received);
}

// One of the settings of the grid that the claim speaks of, chosen by `number`.
Options varied(std::uint64_t number) {
  const Random random = Random(11).stream(number);
  const auto choice = [&](int counter, int from, int to) {
    return from + static_cast<int>(random.index_at(counter, to - from + 1));
  };
  constexpr std::array kBounds = {0, 1, 2, 3, 8, 64};
  const int pushes = choice(0, 1, 8);
  Options options = {
      .workers = choice(1, 1, 8),
      .batch_size = pushes * choice(2, 1, 4),
      .pushes_per_step = pushes,
      .staleness_max = kBounds[choice(3, 0, 5)],
      .staleness_policy = choice(4, 0, 1) == 0 ? StalenessPolicy::hold : StalenessPolicy::recompute,
      .stop = {.steps = choice(5, 1, 120)},
      .trace_every = choice(6, 1, 40)};
  options.state = choice(7, 0, 1) == 0 ? StateChoice::dense : StateChoice::lazy;
  options.seed = number;
  if (choice(8, 0, 3) == 0)
    options.absences = {{.worker = 0, .after_pushes = choice(9, 1, 9), .seconds = 0.0002}};
  return options;
}

// All of them take minutes under the thread sanitizer, which looks at how threads meet: there a
// quarter, from all over the grid, has to do.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ASYNPROX_EVERY_NTH_RUN 4
#endif
#endif
#ifndef ASYNPROX_EVERY_NTH_RUN
#define ASYNPROX_EVERY_NTH_RUN 1
#endif

TEST(Replay, OfAThousandVariedRunsGivesTheSameBits) {
  for (std::uint64_t number = 0; number < 1000; number += ASYNPROX_EVERY_NTH_RUN) {
    SCOPED_TRACE(fmt::format("run {}", number));
    expect_replays(varied(number), L1{.lambda = 1e-3});
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Replay, OfEightThreadsOnOneCoreGivesTheSameBits) {
  cpu_set_t before, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&one);
  for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++core)
    if (CPU_ISSET(core, &before)) CPU_SET(core, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  for (std::uint64_t number = 2000; number < 2040; ++number) {
    SCOPED_TRACE(fmt::format("run {}", number));
    Options options = varied(number);
    options.workers = 8;
    expect_replays(options, ElasticNet{.l1 = 1e-3, .l2 = 1e-2});
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
}

TEST(Replay, OfEveryMethodGivesTheSameBits) {
  const LinearSum f(generated(), generated().labels, LogisticLoss{});
  for (const Runtime runtime : {Runtime::serial, Runtime::threads}) {
    for (const AnyMethod& method : methods_for(f, L2Ball{.radius = 3}))
      expect_replays({.method = method, .workers = 3, .stop = {.steps = 40}, .runtime = runtime},
                     L2Ball{.radius = 3});
    expect_replays({.method = ProxNewton{}, .workers = 3, .runtime = runtime}, L1{.lambda = 1e-3});
  }
}

// Samples are dealt anew when a worker goes or comes; what is remembered goes with them.
TEST(Replay, OfWorkersThatRememberAndLeaveGivesTheSameBits) {
  for (const AnyMethod& method : {AnyMethod(AsynProxSaga{}), AnyMethod(AsynProxSvrg{})})
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      SCOPED_TRACE(fmt::format("{} {}", method.name(), seed));
      Options options = {
          .method = method,
          .workers = 4,
          .pushes_per_step = seed % 2 == 0 ? 4 : 1,
          .staleness_policy = seed % 3 == 0 ? StalenessPolicy::recompute : StalenessPolicy::hold,
          .stop = {.epochs = 30},
          .absences = {{.worker = 0, .after_pushes = 2, .seconds = 0.0002},
                       {.worker = 2, .after_pushes = 11, .seconds = 0.0004}}};
      if (method.traits().lazy != LazyForm::none && seed % 4 == 1)
        options.state = StateChoice::lazy;
      options.seed = seed;
      expect_replays(options, L1{.lambda = 1e-3});
    }
}

TEST(Replay, OfStepsOutsideTheLockGivesTheSameBits) {
  const Dataset wide = read_dataset("generate:sparse-logistic:n=300,d=20000,nonzeros=20");
  for (const int pushes : {1, 3}) {
    Options options = {.workers = 5,
                       .batch_size = 6,
                       .pushes_per_step = pushes,
                       .staleness_max = 3,
                       .stop = {.steps = 200},
                       .trace_every = 17};
    options.state = StateChoice::dense;
    expect_replays(options, L1{.lambda = 1e-3}, wide);
    options.staleness_policy = StalenessPolicy::recompute;
    expect_replays(options, L1{.lambda = 1e-3}, wide);
    options.state = StateChoice::lazy;
    options.batch_size = 150;
    expect_replays(options, L1{.lambda = 1e-3}, wide);
    options.staleness_policy = StalenessPolicy::hold;
    expect_replays(options, L1{.lambda = 1e-3}, wide);
    options.absences = {{.worker = 0, .after_pushes = 2, .seconds = 0.0002},
                        {.worker = 2, .after_pushes = 11, .seconds = 0.0004}};
    options.batch_size = 60;
    for (const StateChoice state : {StateChoice::dense, StateChoice::lazy})
      for (const AnyMethod& method : {AnyMethod(AsynProxSgd{}), AnyMethod(AsynProxSaga{})}) {
        options.state = state;
        options.method = method;
        expect_replays(options, L1{.lambda = 1e-3}, wide);
      }
  }
}

// The number of steps to come is estimated on the way, which is a matter of time; steps inside and
// outside the lock.
TEST(Replay, OfARunLimitedByTimeGivesTheSameBits) {
  expect_replays({.workers = 3, .stop = {.seconds = 0.1}}, L1{.lambda = 1e-3});
  const Dataset wide = read_dataset("generate:sparse-logistic:n=300,d=20000,nonzeros=20");
  for (const StateChoice state : {StateChoice::dense, StateChoice::lazy})
    for (std::uint64_t seed = 1; seed <= 15; ++seed) {
      SCOPED_TRACE(fmt::format("{} {}", name(state), seed));
      Options options = {.workers = 6,
                         .batch_size = 128,
                         .pushes_per_step = 1,
                         .staleness_max = 20,
                         .stop = {.seconds = 0.03}};
      options.state = state;
      options.seed = seed;
      expect_replays(options, L1{.lambda = 1e-3}, wide);
    }
}

// What an evaluation found that was under way has no effect then.
TEST(Replay, OfARunInterruptedDuringAnEvaluationGivesTheSameBits) {
  for (const AnyMethod& method : std::vector<AnyMethod>{AsynProxSgd{}, AsynProxSaga{}})
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(fmt::format("{} {}", method.name(), seed));
      std::atomic<bool> interrupt = false;
      int evaluations = 0;
      Options options = {.method = method,
                         .workers = 3,
                         .stop = {.epochs = 1e6},
                         .seed = seed,
                         .interrupt = &interrupt};
      options.on_evaluation = [&](const Evaluation&) {
        if (++evaluations != 6) return;
        interrupt = true;
        // Until somebody has seen it.
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      };
      Recorded recorded = record(options, L1{.lambda = 1e-3}, generated());
      EXPECT_EQ(recorded.result.stop_reason, StopReason::interrupted);
      interrupt = false;
      recorded.options.on_evaluation = nullptr;
      const Replayed again = replay_of(recorded, L1{.lambda = 1e-3}, generated());
      EXPECT_EQ(again.comparison.difference.value_or("none"), "none");
      EXPECT_EQ(again.result.x, recorded.result.x);
      EXPECT_EQ(again.result.objective, recorded.result.objective);
    }
}

TEST(Replay, OfAPacedRunGivesTheSameBits) {
  for (const StalenessPolicy policy : {StalenessPolicy::hold, StalenessPolicy::recompute}) {
    Options options = {.workers = 5,
                       .batch_size = 20,
                       .staleness_max = 1,
                       .staleness_policy = policy,
                       .stop = {.steps = 60},
                       .trace_every = 7};
    options.pace = 20'000;
    options.speeds = {1, 0.1};
    expect_replays(options, L1{.lambda = 1e-3});
  }
}

TEST(Replay, FindsWhatDiffers) {
  const Options options = {.workers = 2, .stop = {.steps = 30}, .trace_every = 10};
  const L1 h{.lambda = 1e-3};
  const Recorded recorded = record(options, h, generated());
  const auto difference = [&](const Recorded& changed, const AnyRegularizer& regularizer) {
    return replay_of(changed, regularizer, generated()).comparison.difference.value_or("none");
  };
  ASSERT_EQ(difference(recorded, h), "none");

  EXPECT_THROW(difference(recorded, L1{.lambda = 1.0000001e-3}), DataError);
  Recorded stretched = recorded;
  stretched.result.plan.steps.context.lipschitz *= 0.9999999;
  EXPECT_EQ(difference(stretched, h), "between step 0 and step 10 a step wrote other numbers");
  Recorded seeded = recorded;
  seeded.result.plan.seed = 2;
  EXPECT_NE(difference(seeded, h), "none");
  Recorded shortened = recorded;
  shortened.events.pop_back();
  EXPECT_EQ(difference(shortened, h), "the record ends before the run does");
  Recorded crowded = recorded;
  crowded.events.front().worker = 7;
  EXPECT_EQ(difference(crowded, h), "the record has worker 7, this run 2 workers");
  for (std::size_t i = 0; i < recorded.events.size(); ++i) {
    Recorded changed = recorded;
    const EventKind kind = changed.events[i].kind;
    if (kind == EventKind::push || kind == EventKind::stopped)
      changed.events[i].outcome ^= 1;
    else if (kind == EventKind::evaluated || kind == EventKind::end)
      changed.events[i].hashes.model ^= 1ULL << (i % 64);
    else
      continue;
    EXPECT_NE(difference(changed, h), "none") << i;
  }
}

}  // namespace
}  // namespace asynprox
