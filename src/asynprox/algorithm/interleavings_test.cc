// Every order in which pushes can arrive, steps begin and end, and workers leave and join, for
// short runs of a few workers: the bound is kept and attained, nothing deadlocks, the ledger
// balances.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "asynprox/algorithm/server.h"
#include "asynprox/base/snapshot.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/step_sizes/all.h"

namespace asynprox {

namespace {

// All that decides what a server does next: the state of its parts, but for what only counts.
Snapshot state_of(const Server& server) {
  SnapshotWriter state;
  state.put(server.version());
  state.put(server.step_under_way());
  state.put(server.step_computed_by());
  Membership::State members = server.members().state();
  for (Membership::Member& member : members.members)
    member = {.present = member.present, .refusals_nonfinite = member.refusals_nonfinite};
  state.put(members);
  StalenessGate::State gate = server.gate().state();
  for (StalenessGate::Loan& loan : gate.loans) {
    loan.pushed_at = -1;
    if (!loan.outstanding) loan.version = -1;
  }
  state.put(gate);
  state.put(server.waiting().state());
  for (const auto& pending : server.pushes().state().pending) state.put(pending->version);
  return state.take();
}

struct Setting {
  int workers, pushes_per_step, staleness_max;
  StalenessPolicy policy;
  bool workers_compute;  // steps that their messages make due
};

enum class Kind { push, finish, leave, join, repeat_pull };
struct Event {
  Kind kind;
  int worker;
};

// A run driven event by event, as a runtime with two-phase steps would drive it.
class Run {
 public:
  explicit Run(const Setting& setting)
      : setting_(setting),
        server_(make_dense_state({0}, Zero{}), ConstantStep{.value = 1}, {},
                {.pushes_per_step = setting.pushes_per_step,
                 .batch_size = setting.pushes_per_step,
                 .staleness_max = setting.staleness_max,
                 .staleness_policy = setting.policy},
                Stopping({.steps = setting.staleness_max + 3}, 1),
                EvaluationSchedule::every(1000000)),
        workers_(setting.workers) {
    for (int worker = 0; worker < setting.workers; ++worker) pull(worker);
    server_.evaluated({}, replies_);
    deliver();
  }

  std::vector<Event> possible() const {
    std::vector<Event> events;
    if (server_.stopped()) return events;
    if (under_way_) events.push_back({Kind::finish, 0});
    for (int worker = 0; worker < setting_.workers; ++worker) {
      if (workers_[worker].gone) {
        events.push_back({Kind::join, worker});
        continue;
      }
      if (workers_[worker].holds_model) events.push_back({Kind::push, worker});
      if (leaves_ == 0) events.push_back({Kind::leave, worker});
      if (repeated_pulls_ == 0) events.push_back({Kind::repeat_pull, worker});
    }
    return events;
  }

  void apply(const Event& event) {
    MockWorker& worker = workers_[event.worker];
    if (event.kind == Kind::push) push(event.worker);
    if (event.kind == Kind::finish) {
      server_.compute();
      server_.finish_step(replies_);
      under_way_ = false;
    }
    if (event.kind == Kind::leave) {
      ++leaves_;
      worker = {.incarnation = worker.incarnation, .gone = true};
      server_.dismiss(event.worker);
    }
    if (event.kind == Kind::join) {
      worker = {.incarnation = worker.incarnation + 1, .gone = false};
      pull(event.worker);
    }
    if (event.kind == Kind::repeat_pull) {
      ++repeated_pulls_;
      worker.holds_model = false;
      pull(event.worker);
    }
    if (server_.step_due()) {
      const bool by_sender = setting_.workers_compute && event.kind != Kind::finish;
      server_.begin_step(by_sender ? std::optional(event.worker) : std::nullopt);
      under_way_ = true;
    }
    server_.hand_out_models(replies_);
    if (server_.evaluation_due()) server_.evaluated({.steps = server_.version()}, replies_);
    deliver();
  }

  bool everybody_gone() const {
    return std::ranges::all_of(workers_, [](const MockWorker& worker) { return worker.gone; });
  }
  const Server& server() const { return server_; }
  Snapshot state() const {
    SnapshotWriter state;
    state.put(under_way_);
    state.put(leaves_);
    state.put(repeated_pulls_);
    for (const MockWorker& worker : workers_) {
      state.put(worker.gone);
      state.put(worker.holds_model);
      state.put(worker.version);
    }
    state.put(state_of(server_));
    return state.take();
  }

 private:
  struct MockWorker {
    int incarnation = 0;
    bool gone = false;
    bool holds_model = false;
    std::int64_t version = 0;
    std::int64_t sequence = 0;
  };

  void pull(int worker) {
    const MockWorker& sender = workers_[worker];
    server_.accept(
        Pull{.worker = worker, .incarnation = sender.incarnation, .sequence = sender.sequence},
        replies_);
  }
  void push(int number) {
    MockWorker& worker = workers_[number];
    Push push;
    push.id = {number, worker.incarnation, ++worker.sequence};
    push.version = worker.version;
    push.num_samples = 1;
    push.values = {1};
    worker.holds_model = false;
    server_.accept(push, server_.check(push), replies_);
  }
  void deliver() {
    for (const Reply& reply : replies_) {
      if (!reply.has_model) continue;
      MockWorker& worker = workers_[reply.worker];
      ASSERT_FALSE(worker.gone) << "a model went to a worker that is gone";
      ASSERT_FALSE(worker.holds_model) << "a worker was given two models";
      worker.holds_model = true;
      worker.version = reply.model.version;
    }
    replies_.clear();
  }

  Setting setting_;
  Server server_;
  std::vector<MockWorker> workers_;
  Replies replies_;
  bool under_way_ = false;
  int leaves_ = 0, repeated_pulls_ = 0;
};

class Search {
 public:
  explicit Search(const Setting& setting) : setting_(setting) {}

  void explore() {
    Run run(setting_);
    for (const Event& event : path_) run.apply(event);
    if (!seen_.insert(run.state()).second) return;
    const Ledger& ledger = run.server().ledger();
    ASSERT_TRUE(ledger.balanced());
    // Fewer than m were pending when the last models went out, and m are in the step under way.
    ASSERT_LT(ledger.pending, 2 * setting_.pushes_per_step + setting_.workers);
    staleness_max_ = std::max(staleness_max_, run.server().staleness().max);
    const std::vector<Event> events = run.possible();
    const bool alive = std::ranges::any_of(events, [](const Event& event) {
      return event.kind == Kind::push || event.kind == Kind::finish;
    });
    ASSERT_TRUE(alive || run.server().stopped() || run.everybody_gone())
        << "deadlock after " << path_.size() << " events";
    for (const Event& event : events) {
      path_.push_back(event);
      explore();
      path_.pop_back();
    }
  }

  std::int64_t staleness_max() const { return staleness_max_; }
  std::size_t states() const { return seen_.size(); }

 private:
  Setting setting_;
  std::vector<Event> path_;
  std::set<Snapshot> seen_;
  std::int64_t staleness_max_ = 0;
};

class Interleavings : public testing::TestWithParam<std::tuple<StalenessPolicy, bool>> {};

TEST_P(Interleavings, KeepTheBoundAndNeverDeadlock) {
  const auto [policy, workers_compute] = GetParam();
  for (int workers = 1; workers <= 3; ++workers)
    for (int pushes_per_step = 1; pushes_per_step <= 3; ++pushes_per_step)
      for (int staleness_max = 0; staleness_max <= 2; ++staleness_max) {
        SCOPED_TRACE(
            fmt::format("W = {}, m = {}, T = {}", workers, pushes_per_step, staleness_max));
        Search search({workers, pushes_per_step, staleness_max, policy, workers_compute});
        search.explore();
        if (HasFatalFailure()) return;
        EXPECT_LE(search.staleness_max(), staleness_max);
        if (workers >= 2) {
          EXPECT_EQ(search.staleness_max(), staleness_max) << "the bound should be attained";
        }
        EXPECT_GT(search.states(), 10u);
      }
}

INSTANTIATE_TEST_SUITE_P(BothPolicies, Interleavings,
                         testing::Combine(testing::Values(StalenessPolicy::hold,
                                                          StalenessPolicy::recompute),
                                          testing::Bool()),
                         [](const auto& both) {
                           const bool hold = std::get<0>(both.param) == StalenessPolicy::hold;
                           return std::string(hold ? "hold" : "recompute") +
                                  (std::get<1>(both.param) ? "_workers_compute" : "");
                         });

}  // namespace
}  // namespace asynprox
