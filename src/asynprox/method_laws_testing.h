// What every method must satisfy, whatever happens to its pushes: for those of the library, and for
// one of your own (docs/own_method.md).
//
//   TEST(MyMethod, ObeysTheLaws) { expect_method_laws<MyMethod>(); }
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "asynprox/algorithm/server.h"
#include "asynprox/algorithm/worker.h"
#include "asynprox/problem/problem.h"
#include "asynprox/run_record.h"
#include "asynprox/runtimes/letter_boxes.h"
#include "asynprox/sampling/all.h"
#include "asynprox/solve.h"
#include "asynprox/step_sizes/all.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox {

inline const Dataset& law_data() {
  static const Dataset data = read_dataset("generate:sparse-logistic:n=120,d=30,nonzeros=4,seed=2");
  return data;
}

// Server and workers of a method, and a simulated transport between them: every worker pushes once per
// round, in any order; some pushes are refused, some workers leave and come back.
class MethodPlay {
 public:
  static constexpr int kPerPush = 5;

  struct World {
    int workers = 1;
    bool lazy = false;
    double spoilt = 0;  // the share of pushes whose first attempt has a NaN, and is refused
  };

  MethodPlay(const AnyMethod& method, const AnySampling& sampling, const World& world)
      : problem_(make_problem(LinearSum(law_data(), law_data().labels, LogisticLoss{}),
                              L1{.lambda = 1e-3})),
        world_(world),
        server_(make_server(method)),
        boxes_(world.workers) {
    const auto curvatures =
        std::make_shared<const Vector>(*problem_.f.curvature()->sample_lipschitz({}));
    for (int worker = 0; worker < world.workers; ++worker) {
      workers_.emplace_back(problem_.f, method, sampling,
                            WorkerOptions{.worker = worker,
                                          .workers = world.workers,
                                          .samples_per_push = kPerPush,
                                          .keyed = world.lazy,
                                          .sample_lipschitz = curvatures});
      server_.receive(workers_.back().pull(), replies_);
    }
    server_.evaluated({}, replies_);
    boxes_.deliver(replies_);
  }

  // A worker without a reply is held until the next step: it pushes in a later round.
  void round(const Random& chance) {
    std::vector<int> order(world_.workers);
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[chance.index_at(i, i)]);
    for (const int worker : order) push(worker, chance.uniform_at(100 + worker) < world_.spoilt);
  }

  void leave_and_return(int worker) {
    boxes_.take(worker);
    server_.leave(worker, replies_);
    boxes_.deliver(replies_);
    workers_[worker].rejoin();
    server_.receive(workers_[worker].pull(), replies_);
    boxes_.deliver(replies_);
  }

  // The mean over all samples. Workers hear what became of their last push.
  Vector remembered() {
    Vector sum(problem_.f.dimension(), 0);
    Push unsent;
    for (Worker& worker : workers_) {
      if (Reply* reply = boxes_.take(worker.id())) worker.answer(*reply, unsent);
      worker.part().add_remembered(problem_.f, sum);
    }
    scale(sum, 1 / static_cast<double>(problem_.f.num_samples()));
    return sum;
  }

  const Server& server() const { return server_; }
  std::int64_t refused() const {
    return server_.ledger().refused[static_cast<int>(Refusal::nonfinite)];
  }

 private:
  Server make_server(const AnyMethod& method) {
    const Vector x0(problem_.f.dimension(), 0);
    const double batch = kPerPush * world_.workers;
    ServerSetup setup = {.dimension = x0.size(),
                         .num_samples = static_cast<double>(problem_.f.num_samples()),
                         .batch_size = batch};
    if (world_.lazy && method.traits().lazy == LazyForm::on_support)
      setup.support_weights = std::make_shared<const Vector>(x0.size(), 3.0);
    auto state = method.make_state(
        {.x0 = x0, .h = problem_.h, .lazy = world_.lazy, .support_weights = setup.support_weights});
    return Server(std::move(state), ConstantStep{.value = 0.1}, {},
                  {.pushes_per_step = world_.workers,
                   .batch_size = static_cast<std::int64_t>(batch),
                   .staleness_policy = StalenessPolicy::recompute,
                   .deals_samples = method.traits().batch == BatchOf::own_samples,
                   .workers = world_.workers},
                  Stopping({.seconds = 1e9}, 1), EvaluationSchedule::every(1 << 30),
                  method.server_part(setup));
  }

  void push(int worker, bool spoilt) {
    Reply* const reply = boxes_.take(worker);
    if (!reply) return;
    Push push;
    ASSERT_TRUE(workers_[worker].answer(*reply, push));
    Vector& numbers = push.values.empty() ? push.memory_change : push.values;
    spoilt = spoilt && !numbers.empty();
    if (spoilt) numbers.front() = NAN;  // refused: to be made again
    server_.receive(push, replies_);
    boxes_.deliver(replies_);
    if (spoilt) this->push(worker, false);
  }

  Problem problem_;
  World world_;
  Server server_;
  std::vector<Worker> workers_;
  LetterBoxes boxes_;
  Replies replies_;
};

// Calls work(sampling, world) for the samplings and worlds that suit M.
template <class M, class Work>
void for_each_world(Work work) {
  const std::vector<AnySampling> samplings = {Replacement{}, Reshuffle{}, Importance{}};
  for (const AnySampling& sampling : samplings)
    for (const int workers : {1, 3, 4})
      for (const bool lazy : {false, true}) {
        if (lazy && M::traits.lazy == LazyForm::none) continue;
        SCOPED_TRACE(fmt::format("{}, {}, {} workers{}", M::name, sampling.name(), workers,
                                 lazy ? ", lazy" : ""));
        work(sampling, MethodPlay::World{.workers = workers, .lazy = lazy});
      }
}

// Whenever nothing is in flight, what the server keeps and what workers remember are the same.
template <class M>
void expect_mean_is_of_what_workers_remember() {
  int compared = 0;
  for_each_world<M>([&](const AnySampling& sampling, MethodPlay::World world) {
    world.spoilt = 0.1;
    MethodPlay play(M{}, sampling, world);
    for (int round = 0; round < 40; ++round) {
      if (round % 13 == 12) play.leave_and_return(round % world.workers);
      play.round(Random(world.workers).stream(round));
      if (round % 7 != 6 || play.server().ledger().pending > 0) continue;
      // remembered() made each worker compute a push that was never sent: begin a new incarnation.
      const Vector remembered = play.remembered();
      const Vector& mean = *play.server().method()->mean();
      for (std::size_t j = 0; j < mean.size(); ++j)
        ASSERT_NEAR(mean[j], remembered[j], 1e-14) << "round " << round;
      for (int worker = 0; worker < world.workers; ++worker) play.leave_and_return(worker);
      ++compared;
    }
    EXPECT_GT(play.refused(), 0);
  });
  EXPECT_GE(compared, 20);
}

// A push that was refused, and made again at the same model, has no other effect: to the bit. So a
// worker remembers nothing before it hears that a push counts, and both parts are pure.
template <class M>
void expect_refusals_leave_no_trace() {
  for_each_world<M>([](const AnySampling& sampling, MethodPlay::World world) {
    // Among several, the model that comes with a refusal may be newer.
    if (world.workers > 1) return;
    MethodPlay smooth(M{}, sampling, world);
    world.spoilt = 0.3;
    MethodPlay rough(M{}, sampling, world);
    const Vector x0 = smooth.server().iterate();
    for (int round = 0; round < 30; ++round) {
      const Random chance = Random(world.workers).stream(round);
      smooth.round(chance);
      rough.round(chance);
      ASSERT_EQ(smooth.server().iterate(), rough.server().iterate()) << "round " << round;
    }
    EXPECT_GT(rough.refused(), 0);
    EXPECT_EQ(smooth.refused(), 0);
    EXPECT_NE(smooth.server().iterate(), x0) << "it never moved";
  });
}

// The objective falls under every runtime; with one worker, threads and serial give the same bits; and a
// recorded run of several workers, one of which leaves and returns, replays to the bit.
inline void expect_runs_everywhere(const AnyMethod& method) {
  const L1 h{.lambda = 1e-3};
  const auto run = [&](Options options) {
    options.method = method;
    options.stop = {.epochs = 20};
    return solve(law_data(), LogisticLoss{}, h, options);
  };
  const Result serial = run({.workers = 1, .runtime = Runtime::serial});
  EXPECT_EQ(run({.workers = 1, .runtime = Runtime::threads}).x, serial.x);
  for (const Runtime runtime : {Runtime::serial, Runtime::threads, Runtime::simulated}) {
    // Passes of a refinement take no virtual time.
    if (method.traits().control == StepControl::refinements && runtime == Runtime::simulated) {
      EXPECT_THROW(run({.workers = 3, .runtime = runtime}), ContractError);
      continue;
    }
    const Result result = run({.workers = 3, .runtime = runtime});
    EXPECT_LT(result.objective, 0.9 * result.trace.front().objective) << name(runtime);
    EXPECT_TRUE(result.ledger.balanced()) << name(runtime);
  }
  std::vector<Event> events;
  Options recording = {.workers = 3};
  recording.absences = {{.worker = 1, .after_pushes = 4, .seconds = 0.0003}};
  recording.on_events = [&](std::span<const Event> some) {
    events.insert(events.end(), some.begin(), some.end());
  };
  const Result recorded = run(recording);
  std::size_t next = 0;
  const Replayed again = replay(law_data(), LogisticLoss{}, h, recorded.plan, [&]() {
    return next < events.size() ? std::optional(events[next++]) : std::nullopt;
  });
  EXPECT_EQ(again.comparison.difference.value_or("none"), "none");
  EXPECT_EQ(again.result.x, recorded.x);
}

template <Method M>
void expect_method_laws() {
  if constexpr (requires(typename M::ServerPart part) { part.mean(); })
    expect_mean_is_of_what_workers_remember<M>();
  if constexpr (M::traits.turns == Turns::asynchronous) expect_refusals_leave_no_trace<M>();
  expect_runs_everywhere(M{});
}

}  // namespace asynprox
