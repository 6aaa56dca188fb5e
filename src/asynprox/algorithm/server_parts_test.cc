// The parts of the server, one by one.
#include <gtest/gtest.h>

#include <limits>

#include "asynprox/algorithm/membership.h"
#include "asynprox/algorithm/push_store.h"
#include "asynprox/algorithm/sample_dealing.h"
#include "asynprox/algorithm/staleness_gate.h"
#include "asynprox/algorithm/step_judge.h"
#include "asynprox/algorithm/waiting_list.h"
#include "asynprox/base/random.h"
#include "asynprox/base/snapshot.h"
#include "asynprox/sampling/sampling.h"

namespace asynprox {
namespace {

TEST(Membership, CountsEachPushOfALifeOnceAndNoneOfAnother) {
  Membership members;
  EXPECT_EQ(members.refusal({.worker = 5, .sequence = 1}), Refusal::fenced) << "it never came";
  members.enter({.worker = 5, .incarnation = 2});
  EXPECT_EQ(members.refusal({5, 1, 9}), Refusal::fenced);
  EXPECT_EQ(members.refusal({5, 2, 1}), std::nullopt);
  members.received({5, 2, 1});
  EXPECT_EQ(members.refusal({5, 2, 1}), Refusal::duplicate);
  EXPECT_TRUE(members.is_late({.worker = 5, .incarnation = 1, .sequence = 9}));
  EXPECT_TRUE(members.is_late({.worker = 5, .incarnation = 2, .sequence = 0}));
  EXPECT_FALSE(members.is_late({.worker = 5, .incarnation = 2, .sequence = 1}));
  EXPECT_TRUE(members.begins_another_life({.worker = 5, .incarnation = 3}));
  EXPECT_FALSE(members.begins_another_life({.worker = 6, .incarnation = 3})) << "its first";
  members.leave(5);
  EXPECT_EQ(members.refusal({5, 2, 2}), Refusal::fenced);
}

TEST(Membership, AsksOnceMoreForAGradientThatIsNotFinite) {
  Membership members;
  members.enter({});
  EXPECT_FALSE(members.received_nonfinite(0));
  members.received_finite(0);
  EXPECT_FALSE(members.received_nonfinite(0));
  EXPECT_TRUE(members.received_nonfinite(0));
  EXPECT_FALSE(members.received_nonfinite(0)) << "counted anew";
}

TEST(Membership, KnowsNoWorkerOfANegativeNumber) {
  Membership members;
  EXPECT_THROW(members.refusal({.worker = -1}), ContractError);
  EXPECT_THROW(members.enter({.worker = -1}), ContractError);
}

TEST(WaitingList, ServesInOrderAndEachOnce) {
  WaitingList list;
  Keys keys = Keys::only({1});
  for (const int worker : {2, 0, 1, 2}) list.add(worker, Verdict::accepted, keys);
  std::vector<int> seen;
  list.for_each([&](int worker) {
    seen.push_back(worker);
    return worker == 0 ? WaitingList::Decision::stay : WaitingList::Decision::go;
  });
  EXPECT_EQ(seen, (std::vector<int>{2, 0, 1}));
  list.add(2, Verdict::refused, keys);
  seen.clear();
  list.for_each([&](int worker) {
    seen.push_back(worker);
    return worker == 0 ? WaitingList::Decision::nobody_else : WaitingList::Decision::go;
  });
  EXPECT_EQ(seen, std::vector<int>{0});
  list.remove(0);
  list.for_each([&](int worker) {
    EXPECT_EQ(worker, 2);
    EXPECT_EQ(list.of(worker).verdict, Verdict::refused);
    return WaitingList::Decision::go;
  });
  EXPECT_TRUE(list.state().queue.empty());
}

// Whatever workers do, if steps are taken only where the gate allows it and nothing that it admits is
// left out, every gradient is applied in time; with `hold` none that was lent is refused.
void play_gate(const GateOptions& options, std::uint64_t seed) {
  StalenessGate gate(options);
  const Random random = Random(seed);
  std::vector<std::int64_t> pending;
  std::int64_t k = 0, refused = 0;
  for (std::uint64_t event = 0; event < 300; ++event) {
    const int worker = static_cast<int>(random.index_at(event, 4));
    if (gate.owes_push(worker)) {
      const std::int64_t version = gate.state().loans[worker].version;
      if (gate.admits(worker, version, k, k)) {
        gate.admit(worker, version);
        pending.insert(std::ranges::upper_bound(pending, version), version);
      } else {
        ++refused;
        gate.release(worker);
        gate.refused_as_stale(worker);
      }
    } else if (gate.allows_loan(worker, pending.size(), /*step_under_way=*/false)) {
      gate.lend(worker, k);
    }
    const auto m = static_cast<std::size_t>(options.pushes_per_step);
    if (pending.size() < m || !gate.allows_step(std::span(pending).first(m), k + 1)) continue;
    for (std::size_t i = 0; i < m; ++i) {
      ASSERT_LE(k - pending[i], options.staleness_max);
      gate.apply(pending[i]);
    }
    pending.erase(pending.begin(), pending.begin() + options.pushes_per_step);
    ++k;
  }
  EXPECT_GT(k, 20);
  if (options.policy == StalenessPolicy::hold) {
    EXPECT_EQ(refused, 0);
  }
}

TEST(StalenessGate, KeepsEveryGradientOnTime) {
  for (const StalenessPolicy policy : {StalenessPolicy::hold, StalenessPolicy::recompute})
    for (const int pushes : {1, 2, 3})
      for (std::int64_t bound = 0; bound <= 3; ++bound)
        for (std::uint64_t seed = 0; seed < 10; ++seed)
          play_gate({.pushes_per_step = pushes, .staleness_max = bound, .policy = policy}, seed);
}

TEST(SampleDealing, GivesEachSampleToOneOfThoseWhoTakePart) {
  SampleDealing dealing(/*deals=*/true, /*workers=*/3);
  EXPECT_FALSE(dealing.enter(1, /*another_life=*/false)) << "it has its share already";
  EXPECT_TRUE(dealing.leave(1));
  EXPECT_FALSE(dealing.leave(1));
  EXPECT_TRUE(dealing.enter(4, false));
  EXPECT_TRUE(dealing.enter(0, /*another_life=*/true));
  EXPECT_EQ(dealing.round(), 3);
  std::vector<int> owners(10);
  for (const int worker : {0, 2, 4}) {
    Reply reply;
    reply.model.keys = Keys::only({1});
    dealing.tell(worker, reply);
    EXPECT_TRUE(reply.model.keys.all) << "it begins anew, with all its samples";
    const SampleRange range = SampleRange::part(10, reply.share.number, reply.share.of);
    for (std::size_t i = range.first; i < range.last; ++i) ++owners[i];
  }
  EXPECT_EQ(owners, std::vector<int>(10, 1));
  EXPECT_TRUE(dealing.is_stale({.round = 2}));
  EXPECT_FALSE(dealing.is_stale({.round = 3}));
}

TEST(SampleDealing, LetsNobodyGoOnBeforeAllHaveReadTheirSamples) {
  SampleDealing dealing(/*deals=*/true, /*workers=*/2);
  EXPECT_FALSE(dealing.awaits_others(0));
  dealing.has_read(0);
  dealing.has_read(0);
  EXPECT_TRUE(dealing.awaits_others(0));
  EXPECT_FALSE(dealing.awaits_others(1));
  dealing.has_read(1);
  EXPECT_FALSE(dealing.awaits_others(0));
}

Push push_of(int worker, std::int64_t version, std::int64_t sequence) {
  Push push;
  push.id = {worker, 0, sequence};
  push.version = version;
  push.values = {1, 2, 3};
  return push;
}

TEST(PushStore, TakesTheOldestByVersionThenByArrival) {
  PushStore store;
  for (const auto& [version, sequence] : {std::pair(3, 1), {1, 2}, {3, 3}, {1, 4}, {2, 5}}) {
    Push push = push_of(0, version, sequence);
    store.keep(push);
  }
  const auto versions = store.oldest_versions(4);
  EXPECT_EQ(std::vector(versions.begin(), versions.end()), (std::vector<std::int64_t>{1, 1, 2, 3}));
  store.take(4);
  std::vector<std::int64_t> sequences;
  for (const Push* push : store.summands()) sequences.push_back(push->id.sequence);
  EXPECT_EQ(sequences, (std::vector<std::int64_t>{2, 4, 5, 1}));
  EXPECT_EQ(store.pending(), 1u);
}

TEST(PushStore, GivesAWorkerItsOwnMemoryBack) {
  PushStore store;
  for (const int worker : {0, 1}) {
    Push push = push_of(worker, 0, 1);
    store.keep(push);
  }
  store.take(2);
  const double* const memory = store.summands()[0]->values.data();
  store.clear();
  Push push = push_of(0, 1, 2);
  store.keep(push);
  EXPECT_EQ(push.values.data(), memory);
}

Evaluation of(double objective, double epochs = 0) {
  Evaluation evaluation;
  evaluation.objective = objective;
  evaluation.epochs = epochs;
  return evaluation;
}

StepJudge judge_of(const JudgeOptions& options) {
  return StepJudge(options, Stopping({.steps = 1000, .tolerance = 0}, 1),
                   EvaluationSchedule::every(10));
}

TEST(StepJudge, GoesBackToTheBestWhereTheObjectiveRose) {
  StepJudge judge = judge_of({.bold = true});
  EXPECT_TRUE(judge.evaluation_due()) << "of the first model";
  const auto judged = [&](double objective, std::int64_t k) {
    judge.end_evaluation();
    return judge.judge(of(objective), k);
  };
  Ruling ruling = judged(5, 0);
  EXPECT_TRUE(ruling.keep);
  EXPECT_FALSE(ruling.go_back);
  judge.keep({1});
  ruling = judged(6, 10);
  EXPECT_FALSE(ruling.keep);
  EXPECT_TRUE(ruling.go_back);
  EXPECT_LT(*judge.boldness(), 1);
  judge.step_taken(19);
  EXPECT_FALSE(judge.evaluation_due());
  judge.step_taken(20);
  EXPECT_TRUE(judge.evaluation_due());
}

TEST(StepJudge, EnlargesBatchesByWholePartsOfAPass) {
  StepJudge judge = judge_of({.bold = true,
                              .pushes_per_step = 2,
                              .batch_size = 20,
                              .pushes_per_pass = 24,
                              .pushes_max = 24});
  judge.judge(of(5), 0);
  judge.keep({1});
  EXPECT_TRUE(judge.judge(of(5.1), 12).enlarged);
  EXPECT_EQ(judge.pushes_per_step(), 8);
  EXPECT_EQ(judge.batch_size(), 80);
  EXPECT_TRUE(judge.judge(of(5.1), 15).enlarged);
  EXPECT_EQ(judge.pushes_per_step(), 24);
  EXPECT_FALSE(judge.judge(of(5.1), 16).enlarged);
}

TEST(StepJudge, NotesAnOverflowWhileTheModelIsInUse) {
  StepJudge judge = judge_of({.bold = true});
  EXPECT_EQ(judge.overflow(false).stop, StopReason::diverged) << "there is nothing to go back to";
  judge.end_evaluation();
  judge.judge(of(5), 0);
  judge.keep({1});
  EXPECT_FALSE(judge.overflow(/*step_under_way=*/true).go_back);
  EXPECT_TRUE(judge.overflowed());
  const Ruling ruling = judge.overflow(false);
  EXPECT_TRUE(ruling.go_back && ruling.forget);
  EXPECT_FALSE(judge.overflowed());
}

TEST(StepJudge, FallsBackInsteadOfEnding) {
  for (const bool falls_back : {false, true}) {
    StepJudge judge = judge_of({.bold = true, .falls_back = falls_back, .epochs_to_fallback = 3});
    judge.end_evaluation();
    judge.judge(of(5), 0);
    judge.keep({1});
    const Ruling ruling = judge.judge(of(4, /*epochs=*/3), 10);
    EXPECT_EQ(judge.fallen_back(), falls_back);
    EXPECT_EQ(judge.evaluation_due(), falls_back) << "one evaluation follows another";
    EXPECT_EQ(ruling.go_back, falls_back);
    EXPECT_EQ(ruling.stop, std::nullopt);
  }
}

TEST(StepJudge, KeepsTheFirstReasonToStop) {
  StepJudge judge = judge_of({});
  judge.stop(StopReason::time_limit);
  judge.stop(StopReason::interrupted);
  EXPECT_EQ(judge.stop_reason(), StopReason::time_limit);
}

}  // namespace
}  // namespace asynprox
