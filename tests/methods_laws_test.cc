// What every method of the list must satisfy, whatever happens to its pushes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "asynprox/algorithm/methods/all.h"
#include "asynprox/algorithm/server.h"
#include "asynprox/algorithm/worker.h"
#include "asynprox/data/dataset.h"
#include "asynprox/losses/all.h"
#include "asynprox/problem/linear_sum.h"
#include "asynprox/problem/problem.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/runtimes/letter_boxes.h"
#include "asynprox/sampling/all.h"
#include "asynprox/step_sizes/all.h"

namespace asynprox {
namespace {

constexpr int kPerPush = 5;

LinearSum made_sum() {
  const Dataset data = read_dataset("generate:sparse-logistic:n=120,d=30,nonzeros=4,seed=2");
  return LinearSum(data, data.labels, LogisticLoss{});
}

// Server and workers of a method, and the world between them: every worker pushes once a round, in
// any order, and some pushes are refused, some workers leave and come back.
class Play {
 public:
  Play(const AnyMethod& method, const AnySampling& sampling, int workers, bool lazy)
      : problem_(make_problem(made_sum(), L1{.lambda = 1e-3})),
        workers_count_(workers),
        server_(make_server(method, lazy)),
        boxes_(workers) {
    const auto curvatures = std::make_shared<const Vector>(*problem_.f.sample_lipschitz());
    for (int worker = 0; worker < workers; ++worker) {
      workers_.emplace_back(problem_.f, method, sampling,
                            WorkerOptions{.worker = worker,
                                          .workers = workers,
                                          .samples_per_push = kPerPush,
                                          .keyed = lazy,
                                          .sample_lipschitz = curvatures});
      server_.receive(workers_.back().pull(), replies_);
    }
    server_.evaluated({}, replies_);
    boxes_.deliver(replies_);
  }

  // Whose reply is not there is held until the next step, and comes later.
  void round(const Random& chance) {
    std::vector<int> order(workers_count_);
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[chance.index_at(i, i)]);
    for (const int worker : order) push(worker, /*spoilt=*/chance.uniform_at(100 + worker) < 0.1);
  }

  void leave_and_return(int worker) {
    boxes_.take(worker);
    server_.leave(worker, replies_);
    boxes_.deliver(replies_);
    workers_[worker].rejoin();
    server_.receive(workers_[worker].pull(), replies_);
    boxes_.deliver(replies_);
  }

  // Workers hear what became of their last push.
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

 private:
  Server make_server(const AnyMethod& method, bool lazy) {
    const Vector x0(problem_.f.dimension(), 0);
    const double batch = kPerPush * workers_count_;
    ServerSetup setup = {.dimension = x0.size(), .num_samples = 120, .batch_size = batch};
    const bool on_support = lazy && method.traits().on_support;
    if (on_support) setup.support_weights = std::make_shared<const Vector>(x0.size(), 3.0);
    auto state = on_support ? make_support_state(x0, problem_.h, setup.support_weights)
                 : lazy     ? make_lazy_state(x0, problem_.h)
                            : make_dense_state(x0, problem_.h);
    return Server(std::move(state), ConstantStep{.value = 0.1}, {},
                  {.pushes_per_step = workers_count_,
                   .batch_size = static_cast<std::int64_t>(batch),
                   .staleness_policy = StalenessPolicy::recompute,
                   .deals_samples = method.traits().owns_samples,
                   .workers = workers_count_},
                  Stopping({.seconds = 1e9}, 1), EvaluationSchedule::every(1 << 30),
                  method.server_part(setup));
  }

  void push(int worker, bool spoilt) {
    Reply* const reply = boxes_.take(worker);
    if (!reply) return;
    Push push;
    ASSERT_TRUE(workers_[worker].answer(*reply, push));
    if (spoilt && !push.values.empty()) push.values.front() = NAN;  // refused: to be made again
    server_.receive(push, replies_);
    boxes_.deliver(replies_);
    if (spoilt) this->push(worker, false);
  }

  Problem problem_;
  int workers_count_;
  Server server_;
  std::vector<Worker> workers_;
  LetterBoxes boxes_;
  Replies replies_;
};

std::vector<AnySampling> samplings() { return {Replacement{}, Reshuffle{}, Importance{}}; }

// After a round of pushes nothing is pending, so that what the server keeps and what workers
// remember can be compared.
TEST(MethodsLaws, TheServersMeanIsThatOfWhatWorkersRemember) {
  int compared = 0;
  for_each_member(AllMethods{}, [&]<class M>(std::type_identity<M>) {
    if (!requires(typename M::ServerPart part) { part.mean(); }) return;
    for (const AnySampling& sampling : samplings())
      for (const int workers : {1, 3, 4})
        for (const bool lazy : {false, true}) {
          if (lazy && !M::traits.lazy) continue;
          SCOPED_TRACE(std::string(M::name) + " " + std::string(sampling.name()));
          Play play(M{}, sampling, workers, lazy);
          for (int round = 0; round < 40; ++round) {
            const Random chance = Random(workers).stream(round);
            if (round % 13 == 12) play.leave_and_return(round % workers);
            play.round(chance);
            if (play.server().ledger().pending > 0) continue;
            if (round % 7 != 6) continue;
            // Telling workers costs them a push: each is given a new life.
            const Vector remembered = play.remembered();
            const Vector& mean = *play.server().method()->mean();
            for (std::size_t j = 0; j < mean.size(); ++j)
              ASSERT_NEAR(mean[j], remembered[j], 1e-14) << "round " << round;
            for (int worker = 0; worker < workers; ++worker) play.leave_and_return(worker);
            ++compared;
          }
          EXPECT_GT(play.server().ledger().refused[static_cast<int>(Refusal::nonfinite)], 0);
        }
  });
  EXPECT_GE(compared, 60);
}

}  // namespace
}  // namespace asynprox
