// Runs whose messages travel as bytes between a server and workers that are made apart, each from
// the problem and the plan: late, twice, from workers that die, and in any order.
#include "asynprox/run/served_run.h"

#include <gtest/gtest.h>

#include <deque>

#include "asynprox/base/errors.h"
#include "asynprox/messages/frame.h"
#include "asynprox/messages/message_bytes.h"
#include "asynprox/run/json.h"
#include "asynprox/run/planning.h"
#include "asynprox/run/result_text.h"
#include "asynprox/run_record.h"
#include "asynprox/solve.h"
#include "asynprox/sums/linear_sum.h"

#include "tests/all_methods_testing.h"

namespace asynprox {
namespace {

const Dataset& generated() {
  static const Dataset data = read_dataset("generate:sparse-logistic:n=300,d=60,nonzeros=6,seed=3");
  return data;
}

Problem some_problem() {
  return make_problem(LinearSum(generated(), generated().labels, LogisticLoss{}),
                      L1{.lambda = 1e-3});
}

Plan plan_for(const Options& options) {
  Options used = options;
  used.runtime = Runtime::cluster;
  return plan_from_json(plan_json(make_plan(some_problem(), used).plan));
}

using Frame = std::vector<std::byte>;

template <class Message>
Frame frame_of(const Message& message) {
  Frame frame;
  encode(message, frame);
  return frame;
}

std::size_t dimension() { return some_problem().f.dimension(); }

MessageKind kind_of(const Frame& frame) {
  return read_head(std::span(frame).first(kFrameHeadBytes), dimension()).kind;
}

// Workers in a process each, played by one thread; what happens next is drawn.
class Played {
 public:
  Played(const Plan& plan, std::uint64_t seed, double chance_of_death, double chance_of_repetition)
      : plan_(plan), random_(seed), deaths_(chance_of_death), repetitions_(chance_of_repetition) {
    make_server();
    for (int worker = 0; worker < plan.workers.slots; ++worker) machines_.push_back(start(worker));
  }

  Result run() {
    for (int turns = 0; !all_ended() && turns < 1'000'000; ++turns)
      turn(machines_[random_.index_at(counter_++, machines_.size())]);
    EXPECT_TRUE(all_ended()) << "every worker is held";
    return run_->finish();
  }

  // The server dies now and then, and another goes on from its last state.
  void let_servers_die(double chance_of_death) { server_deaths_ = chance_of_death; }

  const std::vector<Event>& events() const { return events_; }
  const std::vector<KeptModel>& models() const { return run_->kept_models(); }
  int deaths() const { return died_; }
  int boots() const { return boots_; }

 private:
  struct Machine {
    Worker worker;
    int number;
    std::optional<Frame> outgoing;   // to the server
    std::optional<Frame> last_sent;  // may come again
    std::deque<Frame> incoming = {};
    bool ended = false;
  };

  void make_server() {
    run_.emplace(some_problem(), plan_, std::nullopt,
                 RunHooks{.on_events =
                              [this](std::span<const Event> events) {
                                events_.insert(events_.end(), events.begin(), events.end());
                              }},
                 /*keep_models=*/true);
  }

  // What it did since its last state is lost, and what its workers say of that is fenced.
  void restart() {
    events_.resize(state_->events);
    make_server();
    run_->restore(*state_, ++boots_, replies_);
    settle();
    for (Machine& machine : machines_) {
      const std::optional<Frame> letter = machine.outgoing;
      machine = start(machine.number);
      if (letter && kind_of(*letter) == MessageKind::push) {
        EXPECT_EQ(send(*letter), Arrival::fenced);
      }
    }
  }

  Machine start(int number) {
    const Problem problem = some_problem();
    Machine machine = {
        make_worker(problem, plan_, vectors_of(problem, plan_), number), number, {}, {}};
    if (const int life = run_->next_life(number); life > 0) machine.worker.rejoin(life);
    machine.outgoing = frame_of(machine.worker.pull());
    return machine;
  }

  bool all_ended() const { return std::ranges::all_of(machines_, &Machine::ended); }
  bool chance(double probability) { return random_.uniform_at(counter_++) < probability; }

  void turn(Machine& machine) {
    if (machine.ended) return;
    if (server_deaths_ > 0) {
      if (chance(2 * server_deaths_))
        if (auto state = run_->state()) state_ = std::move(state);
      if (state_ && !run_->over() && chance(server_deaths_)) return restart();
    }
    if (chance(deaths_)) return die(machine);
    if (machine.last_sent && chance(repetitions_)) {
      EXPECT_NE(send(*machine.last_sent), Arrival::taken);
    } else if (machine.outgoing) {
      machine.last_sent = std::exchange(machine.outgoing, std::nullopt);
      EXPECT_EQ(send(*machine.last_sent), Arrival::taken);
    } else if (!machine.incoming.empty()) {
      compute(machine);
    }
  }

  void compute(Machine& machine) {
    Reply reply;
    ModelBuffers buffers;
    decode(machine.incoming.front(), dimension(), reply, buffers);
    machine.incoming.pop_front();
    Push push;
    machine.ended = !machine.worker.answer(reply, push);
    if (machine.ended) return;
    push.compute_seconds = 0.001F;
    machine.outgoing = frame_of(push);
  }

  // What it has sent last comes late, when its successor may be there: it is fenced.
  void die(Machine& machine) {
    const std::optional<Frame> letter = machine.outgoing;
    run_->leave(machine.number, replies_);
    settle();
    machine = start(machine.number);
    if (letter && kind_of(*letter) == MessageKind::push) {
      EXPECT_EQ(send(*letter), Arrival::fenced);
    }
    ++died_;
  }

  Arrival send(const Frame& frame) {
    Arrival arrival = Arrival::taken;
    if (kind_of(frame) == MessageKind::pull) {
      Pull pull;
      decode(frame, dimension(), pull);
      arrival = run_->receive(pull, replies_);
    } else {
      Push push;
      decode(frame, dimension(), push);
      arrival = run_->receive(push, replies_);
    }
    settle();
    return arrival;
  }

  void settle() {
    deliver();
    run_->watch(replies_);
    deliver();
  }
  void deliver() {
    for (const Reply& reply : replies_) machines_[reply.worker].incoming.push_back(frame_of(reply));
    replies_.clear();
  }

  Plan plan_;
  Random random_;
  std::uint64_t counter_ = 0;
  double deaths_, repetitions_;
  std::vector<Event> events_;
  std::optional<ServedRun> run_;
  std::vector<Machine> machines_;
  Replies replies_;
  int died_ = 0, boots_ = 0;
  double server_deaths_ = 0;
  std::optional<RunState> state_;
};

void expect_replays(const Played& played, const Plan& plan, const Result& result) {
  std::size_t next = 0;
  const Replayed again = replay(LinearSum(generated(), generated().labels, LogisticLoss{}),
                                L1{.lambda = 1e-3}, plan, [&]() -> std::optional<Event> {
                                  if (next == played.events().size()) return std::nullopt;
                                  return played.events()[next++];
                                });
  EXPECT_EQ(again.comparison.difference.value_or("none"), "none");
  EXPECT_EQ(again.result.x, result.x);
  EXPECT_EQ(again.result.steps, result.steps);
}

Options varied(std::uint64_t number) {
  const Random random = Random(5).stream(number);
  const int pushes = 1 + static_cast<int>(random.index_at(0, 4));
  const int workers = 1 + static_cast<int>(random.index_at(1, 5));
  Options options = {.method = AsynProxSgd{},
                     .workers = workers,
                     .batch_size = 4 * pushes,
                     .pushes_per_step = pushes,
                     .staleness_max = static_cast<std::int64_t>(random.index_at(2, 6)),
                     .staleness_policy = random.index_at(3, 2) == 0 ? StalenessPolicy::hold
                                                                    : StalenessPolicy::recompute,
                     .stop = {.steps = 60},
                     .trace_every = 7};
  options.state = random.index_at(4, 2) == 0 ? StateChoice::dense : StateChoice::lazy;
  options.cluster.pipelined = random.index_at(5, 2) == 0;
  options.seed = number;
  return options;
}

TEST(ServedRun, OfOneWorkerHasTheBitsOfSerial) {
  for (const Options& base :
       {Options{.method = AsynProxSgd{}}, Options{.method = AsynProxSaga{}}, Options{}}) {
    Options options = base;
    options.workers = 1;
    options.stop = {.epochs = 6};
    Played played(plan_for(options), 1, 0, 0);
    const Result result = played.run();
    options.runtime = Runtime::serial;
    const Result serial = solve(LinearSum(generated(), generated().labels, LogisticLoss{}),
                                L1{.lambda = 1e-3}, options);
    EXPECT_EQ(result.x, serial.x);
    EXPECT_EQ(result.objective, serial.objective);
    EXPECT_EQ(result.steps, serial.steps);
    EXPECT_EQ(result.trace.size(), serial.trace.size());
  }
}

TEST(ServedRun, KeepsItsPromisesWhateverHappensToMessages) {
  int deaths = 0;
  for (std::uint64_t number = 0; number < 60; ++number) {
    const Plan plan = plan_for(varied(number));
    Played played(plan, number, number % 3 == 0 ? 0 : 0.01, 0.05);
    const Result result = played.run();
    SCOPED_TRACE(number);
    EXPECT_TRUE(result.ledger.balanced());
    EXPECT_LE(result.staleness.max, plan.workers.staleness_max);
    EXPECT_EQ(result.steps, 60);
    EXPECT_EQ(result.ledger.applied, 60 * plan.workers.pushes_per_step);
    EXPECT_EQ(result.ledger.refused[static_cast<int>(Refusal::duplicate)], 0);
    expect_replays(played, plan, result);
    EXPECT_EQ(played.models().size(), 61U);
    EXPECT_EQ(played.models().back().x, result.x);
    deaths += played.deaths();
  }
  EXPECT_GT(deaths, 100);
}

TEST(ServedRun, GoesOnFromItsStateInAnotherServer) {
  int boots = 0;
  for (std::uint64_t number = 0; number < 40; ++number) {
    SCOPED_TRACE(number);
    Options options = varied(number);
    if (number % 4 == 0) options.method = AsynProxSaga{};
    const Plan plan = plan_for(options);
    Played played(plan, number, number % 3 == 0 ? 0 : 0.01, 0.05);
    played.let_servers_die(0.005);
    const Result result = played.run();
    EXPECT_TRUE(result.ledger.balanced());
    EXPECT_LE(result.staleness.max, plan.workers.staleness_max);
    EXPECT_EQ(result.steps, 60);
    EXPECT_EQ(played.models().size(), 61U);
    expect_replays(played, plan, result);
    boots += played.boots();
  }
  EXPECT_GT(boots, 40);
}

TEST(ServedRun, GivesNoLifeTwiceAndRefusesTheBootOfAServerBefore) {
  const Plan plan = plan_for({.workers = 1, .stop = {.steps = 5}});
  const auto made = [&] {
    return std::make_unique<ServedRun>(some_problem(), plan, std::nullopt, RunHooks{},
                                       /*keep_models=*/false);
  };
  Replies replies;
  const auto first = made();
  EXPECT_FALSE(first->state());
  first->receive(Pull{}, replies);
  const std::optional<RunState> state = first->state();
  ASSERT_TRUE(state);
  const auto second = made();
  EXPECT_THROW(made()->restore(*state, 0, replies), ContractError);
  second->restore(*state, 1, replies);
  EXPECT_GT(second->next_life(0), first->next_life(0));
  const std::optional<RunState> later = second->state();
  ASSERT_TRUE(later);
  EXPECT_THROW(made()->restore(*later, 1, replies), ContractError);
  const auto third = made();
  third->restore(*later, 2, replies);
  EXPECT_GT(third->next_life(0), second->next_life(0));
}

TEST(ServedRun, DealsTheSamplesOfTheDeadAnew) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Options options = {.method = AsynProxSaga{}, .workers = 3, .stop = {.epochs = 20}};
    const Plan plan = plan_for(options);
    Played played(plan, seed, 0.002, 0.02);
    const Result result = played.run();
    EXPECT_TRUE(result.ledger.balanced());
    expect_replays(played, plan, result);
  }
}

TEST(ServedRun, RefusesWorkersThatThereAreNone) {
  ServedRun run(some_problem(), plan_for(varied(0)), {}, {}, /*keep_models=*/false);
  Replies replies;
  EXPECT_THROW(run.receive(Pull{.worker = 99}, replies), ContractError);
}

TEST(ServedRun, ThatNeverBeganEndsAsInterrupted) {
  ServedRun run(some_problem(), plan_for(varied(0)), {}, {}, /*keep_models=*/false);
  EXPECT_EQ(run.finish().stop_reason, StopReason::interrupted);
}

TEST(ResultText, ComesBackToTheBit) {
  const Plan plan = plan_for(varied(2));
  const Result result = Played(plan, 2, 0.01, 0.05).run();
  const std::string text = result_text(result);
  const Result again = result_from_text(text);
  EXPECT_EQ(result_text(again), text);
  EXPECT_EQ(again.objective, result.objective);
  EXPECT_EQ(again.ledger.refused, result.ledger.refused);
  EXPECT_EQ(again.staleness.histogram, result.staleness.histogram);
  EXPECT_EQ(again.trace.size(), result.trace.size());
  EXPECT_EQ(plan_json(again.plan), plan_json(result.plan));
  EXPECT_THROW(result_from_text(text.substr(0, text.size() / 2)), DataError);
}

}  // namespace
}  // namespace asynprox
