// The driver of every runtime: who does which work, in which order, changes nothing.
#include "asynprox/algorithm/session.h"

#include <gtest/gtest.h>

#include "asynprox/base/random.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/step_sizes/all.h"

namespace asynprox {
namespace {

// f(x) = (1/n) sum_i (x - i)^2 / 2 on one coordinate.
struct Parabolas {
  std::size_t dimension() const { return 1; }
  std::size_t num_samples() const { return 12; }
  double value(std::span<const double> x, Samples samples) const {
    double total = 0;
    for (const SampleIndex i : samples) total += (x[0] - i) * (x[0] - i) / 2;
    return total;
  }
  void add_gradient(std::span<const double> x, Samples samples, std::span<const double>,
                    std::span<double> g) const {
    for (const SampleIndex i : samples) g[0] += x[0] - i;
  }
};

class Host final : public SessionHost {
 public:
  double elapsed() const override { return 0; }
  bool interrupted() const override { return false; }
  void tell(const Evaluation&) const override { ++told; }
  std::uint64_t nanoseconds() const override { return 7; }
  double stand_still() override {
    EXPECT_FALSE(still);
    still = true;
    return 0;
  }
  void go_on(double) override { still = false; }

  mutable int told = 0;
  bool still = false;
};

class Log final : public EventLog {
 public:
  bool is_on() const override { return true; }
  void add(const Event& event) override { kinds.push_back(event.kind); }

  std::vector<EventKind> kinds;
};

class SessionTest : public testing::Test {
 protected:
  static constexpr int kShares = 4;

  explicit SessionTest(bool steps_outside = false)
      : problem_(make_problem(Parabolas{}, Zero{})),
        server_(make_dense_state({0}, Zero{}), ConstantStep{.value = 1}, {}, {.hash_steps = true},
                Stopping({.steps = 1000}, 1), EvaluationSchedule::every(2)),
        evaluator_(problem_, {.shares = kShares}),
        session_(server_, evaluator_, host_, log_, steps_outside) {}

  void pull(int worker) { session_.receive(Pull{.worker = worker}, {}, replies_); }
  void push(int worker, std::int64_t sequence, std::int64_t version) {
    Push push;
    push.id = {worker, 0, sequence};
    push.version = version;
    push.num_samples = 1;
    push.values = {-1};
    EXPECT_EQ(session_.receive(push, server_.check(push), {}, replies_), std::nullopt);
  }
  Work next(std::optional<int> by = {}) { return session_.next_work(by, replies_); }
  void finish(const Work& work) {
    session_.perform(work);
    session_.finished(work, replies_);
  }
  void evaluate() {
    do finish(next());
    while (session_.evaluating());
  }

  Problem problem_;
  Server server_;
  RunEvaluator evaluator_;
  Host host_;
  Log log_;
  Session session_;
  Replies replies_;
};

TEST_F(SessionTest, EvaluatesInSharesThatMayBeDoneInAnyOrder) {
  pull(0);
  const Work model = next();
  ASSERT_EQ(model.kind, Work::Kind::model);
  EXPECT_TRUE(host_.still);
  EXPECT_FALSE(next()) << "nothing can be done before the model is read";
  finish(model);
  EXPECT_EQ(session_.shares_open(), kShares);
  std::vector<Work> shares;
  for (int share = 0; share < kShares; ++share) shares.push_back(next());
  EXPECT_FALSE(next()) << "all are taken";
  for (const int share : {2, 0, 3, 1}) {
    EXPECT_EQ(shares[share].share, share);
    finish(shares[share]);
  }
  const Work decision = next();
  ASSERT_EQ(decision.kind, Work::Kind::decision);
  EXPECT_FALSE(next());
  finish(decision);
  EXPECT_FALSE(session_.evaluating());
  EXPECT_FALSE(host_.still);
  EXPECT_EQ(host_.told, 1);
  // sum of i^2 / 2 over i < 12, over 12
  EXPECT_DOUBLE_EQ(evaluator_.trace().back().objective, 506.0 / 24);
  EXPECT_EQ(replies_.size(), 0u);
  EXPECT_FALSE(next());
  EXPECT_EQ(replies_.size(), 1u) << "whoever waits is handed a model once there is no work";
  EXPECT_EQ(log_.kinds, (std::vector{EventKind::pull, EventKind::evaluated}));
}

TEST_F(SessionTest, TakesStepsUntilAnEvaluationIsDue) {
  for (const int worker : {0, 1, 2}) pull(worker);
  evaluate();
  EXPECT_FALSE(next());
  EXPECT_EQ(replies_.size(), 3u);
  replies_.clear();
  for (const int worker : {0, 1, 2}) push(worker, 1, 0);
  for (const std::int64_t k : {1, 2}) {
    const Work step = next();
    ASSERT_EQ(step.kind, Work::Kind::step);
    finish(step);
    EXPECT_EQ(server_.version(), k);
  }
  EXPECT_EQ(next().kind, Work::Kind::model) << "at step 2";
  EXPECT_EQ(replies_.size(), 0u) << "no model is handed out before";
}

TEST_F(SessionTest, FinishesAnEvaluationAfterAStopWithoutAnEffect) {
  pull(0);
  finish(next());
  session_.stop(StopReason::interrupted, replies_);
  EXPECT_EQ(replies_.begin()->verdict, Verdict::stopped);
  evaluate();
  EXPECT_FALSE(next());
  EXPECT_EQ(evaluator_.trace().size(), 1u);
  EXPECT_EQ(log_.kinds, std::vector{EventKind::pull}) << "nothing depends on it";
}

TEST_F(SessionTest, IsSavedOnlyWhileNobodyHasWorkInHand) {
  pull(0);
  const Work model = next();
  EXPECT_FALSE(session_.at_rest());
  EXPECT_THROW(snapshot(session_), ContractError);
  finish(model);
  evaluate();
  EXPECT_TRUE(session_.at_rest());
  EXPECT_NO_THROW(snapshot(session_));
}

class SessionOfConcurrentSteps : public SessionTest {
 protected:
  SessionOfConcurrentSteps() : SessionTest(/*steps_outside=*/true) {}
};

TEST_F(SessionOfConcurrentSteps, HandsOutModelsWhileAStepIsComputed) {
  for (const int worker : {0, 1}) pull(worker);
  evaluate();
  EXPECT_FALSE(next());
  replies_.clear();
  push(0, 1, 0);
  const Work step = next(/*by=*/0);
  ASSERT_EQ(step.kind, Work::Kind::step);
  EXPECT_EQ(replies_.size(), 0u) << "who computes the step gets the model after it";
  push(1, 1, 0);
  EXPECT_FALSE(next(/*by=*/1)) << "one step at a time";
  finish(step);
  EXPECT_EQ(next().kind, Work::Kind::step);
}

}  // namespace
}  // namespace asynprox
