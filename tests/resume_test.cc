// The law of checkpoints: a run that is interrupted anywhere and goes on from its checkpoint makes the
// bits of the run that was not; with several threads it keeps the bound and the books, and its whole
// record replays across the seams.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <string>
#include <vector>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/base/spec.h"
#include "asynprox/checkpoints.h"
#include "asynprox/run_record.h"
#include "asynprox/sampling/all.h"
#include "asynprox/solve.h"
#include "asynprox/sums/linear_sum.h"

#include "tests/all_methods_testing.h"

namespace asynprox {
namespace {

const Dataset& generated() {
  static const Dataset data = read_dataset("generate:sparse-logistic:n=200,d=40,nonzeros=5,seed=4");
  return data;
}

AnyFiniteSum logistic() { return LinearSum(generated(), generated().labels, LogisticLoss{}); }

const AnyRegularizer kPenalty = L1{.lambda = 1e-3};

// A run, with its record and the states that it left.
struct Played {
  Result result;
  std::vector<Event> events;
  std::vector<RunState> states;
};

EventSink into(std::vector<Event>& events) {
  return [&events](std::span<const Event> more) {
    events.insert(events.end(), more.begin(), more.end());
  };
}

bool can_be_recorded(const Cluster& cluster) {
  return cluster.fused && !cluster.faults.of_messages();
}

Played play(Options options, const CheckpointRule& every) {
  Played played;
  if (can_be_recorded(options.cluster)) options.on_events = into(played.events);
  options.checkpoints = {.every = every,
                         .save = [&](const RunState& state) { played.states.push_back(state); }};
  played.result = solve(logistic(), kPenalty, options);
  return played;
}

// From state number `from` to the end, by way of bytes. With the events up to there.
Played go_on(const Played& played, std::size_t from, const ResumeOptions& options = {},
             const CheckpointRule& every = {}) {
  const Checkpoint kept = {.run = "a run", .state = played.states[from]};
  const RunState state = decode_checkpoint(encode(kept)).state;
  Played resumed;
  resumed.events.assign(played.events.begin(),
                        played.events.begin() + static_cast<std::ptrdiff_t>(state.events));
  ResumeOptions resuming = options;
  if (can_be_recorded(played.result.plan.execution.cluster))
    resuming.hooks.on_events = into(resumed.events);
  resuming.hooks.checkpoints = {
      .every = every, .save = [&](const RunState& now) { resumed.states.push_back(now); }};
  resumed.result = resume(logistic(), kPenalty, played.result.plan, state, resuming);
  return resumed;
}

// All that does not depend on time.
std::string bits_of(const Result& result) {
  Hash x;
  x.add(result.x);
  x.add(result.intercept);
  std::string text = fmt::format(
      "x {:x}, objective {:a}, gap {:a}, {} steps, {} gradients, {}, received {} pending {}, trace",
      x.value(), result.objective, result.duality_gap.value_or(-1), result.steps,
      result.sample_gradients, name(result.stop_reason), result.ledger.received,
      result.ledger.pending);
  for (const Evaluation& evaluation : result.trace)
    text += fmt::format(" {}:{:a}:{:a}:{}", evaluation.steps, evaluation.objective,
                        evaluation.gradient_mapping, evaluation.refined_by.size());
  for (const std::int64_t count : result.staleness.histogram) text += fmt::format(" {}", count);
  return text;
}

void expect_replays(const Played& played, const std::vector<StoppingRules>& stops_before = {}) {
  std::size_t next = 0;
  const auto next_event = [&]() -> std::optional<Event> {
    if (next == played.events.size()) return std::nullopt;
    return played.events[next++];
  };
  const Replayed again = replay(logistic(), kPenalty, plan_from_json(plan_json(played.result.plan)),
                                next_event, {.stops_before = stops_before});
  EXPECT_EQ(again.comparison.difference.value_or("none"), "none");
  EXPECT_EQ(bits_of(again.result), bits_of(played.result));
}

// Resumes from some of the states, the first and the last among them.
void expect_same_from_anywhere(const Options& options, const CheckpointRule& every,
                               std::size_t tries) {
  const Played whole = play(options, every);
  const Result undisturbed = solve(logistic(), kPenalty, options);
  ASSERT_EQ(bits_of(whole.result), bits_of(undisturbed)) << "checkpoints disturb the run";
  if (whole.states.empty()) {
    // Proximal Newton alone may be done within its first evaluation.
    ASSERT_EQ(whole.result.steps, 0);
    return;
  }
  const std::size_t last = whole.states.size() - 1;
  for (std::size_t i = 0; i <= tries; ++i) {
    const std::size_t from = last * i / tries;
    const Played resumed = go_on(whole, from);
    ASSERT_EQ(bits_of(resumed.result), bits_of(whole.result)) << "from state " << from;
    if (i == tries / 2) expect_replays(resumed);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Resume, GivesTheBitsOfTheRunThatWasNotInterrupted) {
  const std::vector<std::optional<AnySampling>> samplings = {std::nullopt, Replacement{},
                                                             Reshuffle{}, Importance{}, Passes{}};
  int played = 0;
  for (const AnyMethod& method : methods_for(logistic(), kPenalty))
    for (const StateChoice state : {StateChoice::dense, StateChoice::lazy})
      for (const auto& sampling : samplings) {
        SCOPED_TRACE(fmt::format("{} {} {}", method.name(), name(state),
                                 sampling ? sampling->name() : "as suits it"));
        Options options = {.method = method, .workers = 1, .stop = {.epochs = 12}};
        options.runtime = Runtime::serial;
        options.state = state;
        options.sampling = sampling;
        try {
          expect_same_from_anywhere(options, {.steps = 1}, 5);
          ++played;
        } catch (const ContractError&) {
          continue;  // a combination that there is not
        }
        if (testing::Test::HasFailure()) return;
      }
  EXPECT_GE(played, 20);
}

TEST(Resume, GivesTheSameBitsWithOneThread) {
  for (const AnyMethod& method : methods_for(logistic(), kPenalty)) {
    SCOPED_TRACE(std::string(method.name()));
    Options options = {.method = method, .workers = 1, .stop = {.epochs = 12}};
    expect_same_from_anywhere(options, {.steps = 1}, 4);
    if (testing::Test::HasFailure()) return;
  }
}

// Newton's method, its fallback and FISTA: the waits, sums and curvatures that they keep.
TEST(Resume, GivesTheSameBitsBetweenEvaluationsOfTheFallback) {
  for (const Runtime runtime : {Runtime::serial, Runtime::threads})
    for (const bool newton : {true, false}) {
      Options options = {.method = AsynProxSaga{}, .workers = 1, .stop = {.tolerance = 1e-13}};
      options.newton = newton;
      options.fallback = true;
      options.runtime = runtime;
      // Due at every moment at which there may be one.
      expect_same_from_anywhere(options, {.seconds = 1e-9, .steps = 1}, 6);
    }
}

TEST(Resume, GivesTheSameBitsWhereWorkersTakeTurns) {
  Options options = {.workers = 3, .pushes_per_step = 2, .stop = {.epochs = 8}};
  options.runtime = Runtime::serial;
  expect_same_from_anywhere(options, {.steps = 1}, 10);
  options.pushes_per_step = 1;
  options.delays = make_delay(parse_spec("uniform:T=3"));
  options.method = AsynProxSgd{};
  expect_same_from_anywhere(options, {.steps = 1}, 10);
}

TEST(Resume, GivesTheSameBitsInVirtualTime) {
  for (const bool pipelined : {false, true})
    for (const bool faults : {false, true}) {
      Options options = {.workers = 5, .stop = {.epochs = 8}};
      options.runtime = Runtime::simulated;
      options.cluster.pipelined = pipelined;
      options.cluster.outages = {{.worker = 1, .from = 0.001, .until = 0.01}};
      if (faults)
        options.cluster.faults = {.loss = 0.05, .duplication = 0.05, .deaths = 1};
      else
        options.cluster.fused = pipelined;
      const Played whole = play(options, {.steps = 1});
      ASSERT_GT(whole.states.size(), 5U);
      for (std::size_t from = 0; from < whole.states.size(); from += 7) {
        const Played resumed = go_on(whole, from);
        ASSERT_EQ(bits_of(resumed.result), bits_of(whole.result)) << "from state " << from;
        EXPECT_EQ(resumed.result.seconds, whole.result.seconds);
        EXPECT_EQ(resumed.result.simulation->messages, whole.result.simulation->messages);
        if (!faults && options.cluster.fused && from == 7) expect_replays(resumed);
      }
    }
}

// Interrupted by a flag, as by Ctrl-C, and again while it goes on: up to five legs.
TEST(Resume, KeepsTheBoundAndTheBooksWithSeveralThreads) {
  constexpr std::int64_t kSteps = 2000;
  int legs_in_all = 0;
  for (int round = 0; round < 12; ++round) {
    SCOPED_TRACE(fmt::format("round {}", round));
    const Random random = Random(5).stream(round);
    Options options = {.workers = 4, .pushes_per_step = 1 + round % 3, .stop = {.steps = kSteps}};
    options.batch_size = 8 * *options.pushes_per_step;
    options.staleness_max = round % 4;
    options.staleness_policy = round % 2 == 0 ? StalenessPolicy::hold : StalenessPolicy::recompute;
    if (round % 3 < 2) options.state = round % 2 == 0 ? StateChoice::dense : StateChoice::lazy;
    if (round % 3 == 0) options.method = AsynProxSaga{};
    if (round % 3 == 1) options.method = AsynProxSgd{};
    if (round % 3 == 2) options.method = AsynProxSvrg{};
    std::atomic<bool> interrupt = false;
    Played played;
    const auto save = [&](const RunState& state) {
      played.states.push_back(state);
      interrupt = true;
    };
    const CheckpointHooks hooks = {
        .every = {.steps = 1 + static_cast<std::int64_t>(random.index_at(0, 30))}, .save = save};
    options.on_events = into(played.events);
    options.checkpoints = hooks;
    options.interrupt = &interrupt;
    played.result = solve(logistic(), kPenalty, options);
    int legs = 1;
    for (; legs < 5 && played.result.stop_reason == StopReason::interrupted; ++legs) {
      interrupt = false;
      const RunState state = played.states.back();
      EXPECT_EQ(state.steps, played.result.steps) << "a step was lost";
      played.events.resize(state.events);
      ResumeOptions resuming;
      resuming.hooks = {.on_events = into(played.events), .checkpoints = hooks};
      if (legs < 4) resuming.hooks.interrupt = &interrupt;
      played.result = resume(logistic(), kPenalty, played.result.plan, state, resuming);
    }
    legs_in_all += legs;
    EXPECT_LE(played.result.staleness.max, played.result.plan.workers.staleness_max);
    EXPECT_TRUE(played.result.ledger.balanced());
    EXPECT_EQ(played.result.steps, kSteps);
    expect_replays(played);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GE(legs_in_all, 24) << "hardly anything was interrupted";
}

TEST(Resume, TakesOtherLimits) {
  Options options = {.method = AsynProxSgd{}, .workers = 1, .stop = {.epochs = 4}};
  options.runtime = Runtime::serial;
  const Played whole = play(options, {.steps = 5});
  Played longer = whole;
  longer.result.plan.stop.epochs = 9;
  const std::size_t from = whole.states.size() / 2;
  const Played resumed = go_on(longer, from, {.stop_before = whole.result.plan.stop});
  EXPECT_EQ(resumed.result.stop_reason, StopReason::epoch_limit);
  EXPECT_NEAR(resumed.result.epochs, 9, 0.5);
  expect_replays(resumed, {whole.result.plan.stop});

  Played shorter = whole;
  shorter.result.plan.stop = {.steps = 1};
  const Played ended = go_on(shorter, from, {.stop_before = whole.result.plan.stop});
  EXPECT_EQ(ended.result.stop_reason, StopReason::step_limit);
  EXPECT_LE(ended.result.steps, whole.states[from].steps + 1);
  expect_replays(ended, {whole.result.plan.stop});
}

TEST(Resume, TakesOtherLimitsWhereEvaluationsJudge) {
  Options options = {.workers = 2, .stop = {.tolerance = 1e-2}};
  options.runtime = Runtime::serial;
  Played whole = play(options, {.seconds = 1e-9, .steps = 1});
  const StoppingRules before = whole.result.plan.stop;
  whole.result.plan.stop.tolerance = 1e-9;
  const Played resumed =
      go_on(whole, whole.states.size() - 1, {.stop_before = before}, {.seconds = 1e-9, .steps = 1});
  EXPECT_EQ(resumed.result.stop_reason, StopReason::converged);
  EXPECT_LE(*resumed.result.duality_gap, 1e-9 * resumed.result.objective);
  expect_replays(resumed, {before});
}

TEST(Resume, CountsTimeOn) {
  Options options = {.method = AsynProxSgd{}, .workers = 1, .stop = {.steps = 400}};
  options.runtime = Runtime::serial;
  const Played whole = play(options, {.steps = 399});
  const Played resumed = go_on(whole, 0);
  ASSERT_GE(resumed.result.trace.size(), 2U);
  for (std::size_t i = 1; i < resumed.result.trace.size(); ++i)
    EXPECT_GE(resumed.result.trace[i].seconds, resumed.result.trace[i - 1].seconds);
  EXPECT_GT(resumed.result.seconds, 0.9 * whole.result.trace.front().seconds);
}

TEST(Resume, RefusesTheStateOfAnotherRun) {
  Options options = {.method = AsynProxSgd{}, .workers = 3, .stop = {.epochs = 3}};
  options.runtime = Runtime::serial;
  const Played three = play(options, {.steps = 2});
  options.workers = 2;
  Played two = play(options, {.steps = 2});
  two.states = three.states;
  EXPECT_THROW(go_on(two, 0), DataError);
}

TEST(Resume, SaysWhyThereAreNoCheckpoints) {
  Options options = {.workers = 1, .stop = {.epochs = 3}};
  options.absences = {{.worker = 0}};
  options.checkpoints.save = [](const RunState&) {};
  EXPECT_THROW(solve(logistic(), kPenalty, options), ContractError);
}

}  // namespace
}  // namespace asynprox
