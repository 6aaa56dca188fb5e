// The law of state as data: what is restored from a snapshot behaves, to the bit, as what the snapshot is
// of. For every method, model state, sampling rule and refinement.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "asynprox/algorithm/session.h"
#include "asynprox/base/snapshot.h"
#include "asynprox/losses/all.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/run/assembly.h"
#include "asynprox/run/planning.h"
#include "asynprox/runtimes/letter_boxes.h"
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

// Time does not pass.
class Stillness final : public SessionHost {
 public:
  double elapsed() const override { return 0; }
  bool interrupted() const override { return false; }
  void tell(const Evaluation&) const override {}
  std::uint64_t nanoseconds() const override { return 0; }
  double stand_still() override { return 0; }
  void go_on(double) override {}
};

class NoLog final : public EventLog {
 public:
  bool is_on() const override { return false; }
  void add(const Event&) override {}
};

// A run on one thread, in which workers take turns; messages that are on their way belong to its state.
class Play {
 public:
  Play(const Problem& problem, const Planned& planned)
      : server_(make_server(problem, planned.plan, planned.vectors,
                            Vector(problem.f.dimension(), 0), /*recorded=*/true)),
        workers_(make_workers(problem, planned.plan, planned.vectors, planned.plan.workers.slots)),
        evaluator_(problem, evaluator_options(problem, planned.plan, planned.vectors)),
        session_(server_, evaluator_, host_, log_),
        boxes_(workers_.size()) {}

  void start() {
    for (const Worker& worker : workers_) session_.receive(worker.pull(), {}, replies_);
    settle();
  }

  // One worker's message, or that of one who leaves and returns.
  void go_on() {
    const auto turn = static_cast<std::size_t>(turns_++);
    Worker& worker = workers_[turn % workers_.size()];
    if (workers_.size() > 1 && turn % 37 == 36) {
      boxes_.take(worker.id());
      session_.leave(worker.id(), 0, {});
      worker.rejoin();
      session_.receive(worker.pull(), {}, replies_);
    } else if (Reply* reply = boxes_.take(worker.id()); reply && worker.answer(*reply, push_)) {
      session_.receive(push_, server_.check(push_), {}, replies_);
    }
    settle();
  }

  void save(SnapshotWriter& writer) const {
    writer.put(session_);
    for (const Worker& worker : workers_) writer.put(worker);
    writer.put(boxes_);
    writer.put(turns_);
  }
  void restore(SnapshotReader& reader) {
    reader.get(session_);
    for (Worker& worker : workers_) reader.get(worker);
    reader.get(boxes_);
    reader.get(turns_);
  }

  const Server& server() const { return server_; }
  const RunEvaluator& evaluator() const { return evaluator_; }

 private:
  void settle() {
    while (const Work work = session_.next_work(/*by=*/{}, replies_)) {
      session_.perform(work);
      session_.finished(work, replies_);
      // Where a run falls back there is nothing but evaluations: one at a time.
      if (server_.fallen_back() && session_.at_rest()) break;
    }
    boxes_.deliver(replies_);
  }

  Stillness host_;
  NoLog log_;
  Server server_;
  std::vector<Worker> workers_;
  RunEvaluator evaluator_;
  Session session_;
  LetterBoxes boxes_;
  Replies replies_;
  Push push_;
  std::int64_t turns_ = 0;
};

struct Seen {
  bool fell_back = false;
  std::vector<std::string_view> refined_by;
};

// Goes on from a snapshot at some turns, beside the run itself, and compares them turn by turn.
Seen expect_law(const AnyRegularizer& h, Options options, int turns) {
  const Problem problem =
      make_problem(LinearSum(generated(), generated().labels, LogisticLoss{}), h);
  options.runtime = Runtime::serial;
  const Planned planned = make_plan(problem, options);
  Play original(problem, planned);
  original.start();
  std::vector<std::unique_ptr<Play>> restored;
  const Vector x0 = original.server().iterate();
  for (int turn = 0; turn < turns; ++turn) {
    if (turn % (turns / 4) == turns / 9) {
      const Snapshot bytes = snapshot(original);
      restored.push_back(std::make_unique<Play>(problem, planned));
      // Whatever it did before makes no difference.
      restored.back()->start();
      for (int before = 0; before < turn % 7; ++before) restored.back()->go_on();
      restore(*restored.back(), bytes, RunEvaluator::names());
      EXPECT_EQ(snapshot(*restored.back()), bytes) << "at turn " << turn;
    }
    original.go_on();
    for (const auto& play : restored) {
      play->go_on();
      EXPECT_EQ(play->server().steps_hash(), original.server().steps_hash()) << "turn " << turn;
      if (testing::Test::HasFailure()) return {};
    }
  }
  for (const auto& play : restored) EXPECT_TRUE(same_state(*play, original));
  EXPECT_NE(original.server().iterate(), x0) << "it never moved";
  Seen seen = {.fell_back = original.server().fallen_back(), .refined_by = {}};
  for (const Evaluation& evaluation : original.evaluator().trace())
    seen.refined_by.insert(seen.refined_by.end(), evaluation.refined_by.begin(),
                           evaluation.refined_by.end());
  return seen;
}

bool helped(const Seen& seen, std::string_view refinement) {
  return std::ranges::find(seen.refined_by, refinement) != seen.refined_by.end();
}

TEST(State, OfEveryMethodModelAndSamplingGoesOnFromASnapshot) {
  const LinearSum f(generated(), generated().labels, LogisticLoss{});
  const std::vector<std::optional<AnySampling>> samplings = {std::nullopt, Replacement{},
                                                             Reshuffle{}, Importance{}, Passes{}};
  int played = 0;
  for (const AnyMethod& method : methods_for(f, L1{.lambda = 1e-3}))
    for (const StateChoice state : {StateChoice::dense, StateChoice::lazy})
      for (const auto& sampling : samplings)
        for (const int workers : {1, 3}) {
          SCOPED_TRACE(fmt::format("{} {} {} {}", method.name(), name(state),
                                   sampling ? sampling->name() : "as suits it", workers));
          Options options = {.method = method, .workers = workers, .stop = {.epochs = 1e6}};
          options.state = state;
          options.sampling = sampling;
          try {
            expect_law(L1{.lambda = 1e-3}, options, 150);
            ++played;
          } catch (const ContractError&) {
            continue;  // a combination that there is not
          }
          if (testing::Test::HasFailure()) return;
        }
  EXPECT_GE(played, 40);
}

// Steps outside Theorem 1's plain case: slow workers are refused, and gradients are not fresh.
TEST(State, OfEitherPolicyGoesOnFromASnapshot) {
  for (const StalenessPolicy policy : {StalenessPolicy::hold, StalenessPolicy::recompute})
    for (const std::int64_t bound : {0, 1, 5})
      expect_law(L2Ball{.radius = 3},
                 {.workers = 4,
                  .batch_size = 12,
                  .pushes_per_step = 2,
                  .staleness_max = bound,
                  .staleness_policy = policy,
                  .stop = {.steps = 1'000'000},
                  .trace_every = 17},
                 300);
}

TEST(State, OfEveryRefinementGoesOnFromASnapshot) {
  Seen seen = expect_law(L1{.lambda = 1e-3}, {.workers = 2, .stop = {.tolerance = 1e-12}}, 400);
  EXPECT_TRUE(helped(seen, NewtonSearch::name));
  Options span = {.method = AsynProxSaga{}, .workers = 2, .stop = {.epochs = 1e6}};
  span.newton = false;
  EXPECT_TRUE(helped(expect_law(L1{.lambda = 1e-3}, span, 400), SpanSearch::name));
  Options fallback = {.method = AsynProxSaga{}, .workers = 2, .stop = {.tolerance = 1e-14}};
  fallback.newton = false;
  fallback.fallback = true;
  seen = expect_law(L1{.lambda = 1e-3}, fallback, 1200);
  EXPECT_TRUE(seen.fell_back);
  EXPECT_TRUE(helped(seen, FistaSearch::name));
}

}  // namespace
}  // namespace asynprox
