// The same server and workers with every message passed as bytes: the bits of the serial runtime, and
// the bound on staleness and the books in any order of messages.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "asynprox/algorithm/methods/all.h"
#include "asynprox/base/random.h"
#include "asynprox/data/dataset.h"
#include "asynprox/losses/all.h"
#include "asynprox/messages/message_bytes.h"
#include "asynprox/problem/problem.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/run/assembly.h"
#include "asynprox/run/plan_steps.h"
#include "asynprox/run/planning.h"
#include "asynprox/solve.h"
#include "asynprox/step_sizes/all.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox {
namespace {

const Problem& problem() {
  static const Problem problem = [] {
    const Dataset data = read_dataset("generate:sparse-logistic:n=400,d=60,nonzeros=5,seed=3");
    return make_problem(LinearSum(data, data.labels, LogisticLoss{}), L1{.lambda = 1e-3});
  }();
  return problem;
}

// Steps that do not depend on evaluations, so that nobody has to make any.
Options options_of(const AnyMethod& method, StateChoice state, int workers) {
  return {.method = method,
          .step = ConstantStep{.value = 0.1},
          .workers = workers,
          .batch_size = 8 * workers,
          .staleness_max = 3,
          .stop = {.steps = 60},
          .runtime = Runtime::serial,
          .state = state};
}

class Loopback {
 public:
  explicit Loopback(const Options& options)
      : planned_(make_plan(problem(), options)),
        server_(make_server(problem(), planned_.plan, planned_.vectors,
                            make_start(problem(), planned_.plan.start, planned_.plan.seed),
                            /*recorded=*/false)),
        workers_(make_workers(problem(), planned_.plan, planned_.vectors, options.workers)),
        boxes_(options.workers) {}

  // Workers answer in turns or, with a seed, in any order, if they have a model.
  void run(std::uint64_t seed = 0) {
    Pull pull_received;
    for (const Worker& worker : workers_) {
      encode(worker.pull(), frame_);
      decode(frame_, dimension(), pull_received);
      server_.receive(pull_received, replies_);
    }
    deliver();
    for (std::uint64_t turn = 0; !server_.stopped(); ++turn) {
      const std::uint64_t next = seed == 0 ? turn : Random(seed).at(turn);
      answer(next % workers_.size());
      deliver();
      ASSERT_TRUE(server_.ledger().balanced());
    }
  }

  const Server& server() const { return server_; }
  std::uint64_t bytes_pushed() const { return bytes_pushed_; }

 private:
  struct Box {
    bool full = false;
    Reply reply;
    ModelBuffers buffers;
  };

  std::size_t dimension() const { return problem().f.dimension(); }

  void answer(std::size_t worker) {
    Box& box = boxes_[worker];
    if (!box.full) return;
    box.full = false;
    if (!workers_[worker].answer(box.reply, push_sent_)) return;
    encode(push_sent_, frame_);
    bytes_pushed_ += frame_.size();
    decode(frame_, dimension(), push_received_);
    server_.receive(push_received_, replies_);
  }

  void deliver() {
    if (server_.evaluation_due()) {
      Evaluation evaluation;
      evaluation.steps = server_.version();
      evaluation.sample_gradients = server_.sample_gradients();
      server_.evaluated(evaluation, replies_);
    }
    for (Reply& reply : replies_) {
      encode(reply, frame_);
      Box& box = boxes_[reply.worker];
      decode(frame_, dimension(), box.reply, box.buffers);
      box.full = true;
    }
    replies_.clear();
  }

  Planned planned_;
  Server server_;
  std::vector<Worker> workers_;
  std::vector<Box> boxes_;
  std::vector<std::byte> frame_;
  Replies replies_;
  Push push_sent_, push_received_;
  std::uint64_t bytes_pushed_ = 0;
};

struct Case {
  std::string name;
  AnyMethod method;
  StateChoice state;
};

std::ostream& operator<<(std::ostream& stream, const Case& tested) { return stream << tested.name; }

class LoopbackLaws : public ::testing::TestWithParam<Case> {};

TEST_P(LoopbackLaws, GivesTheBitsOfSerialForAnyWorkersInTurns) {
  for (const int workers : {1, 2, 8}) {
    const Options options = options_of(GetParam().method, GetParam().state, workers);
    Loopback loopback(options);
    loopback.run();
    const Result serial = solve(problem().f, L1{.lambda = 1e-3}, options);
    EXPECT_EQ(serial.steps, 60);
    EXPECT_EQ(loopback.server().version(), serial.steps);
    EXPECT_EQ(loopback.server().iterate(), serial.x) << workers << " workers";
    EXPECT_GT(count_nonzeros(serial.x), 0u);
  }
}

TEST_P(LoopbackLaws, HoldsTheBoundAndTheBooksInAnyOrder) {
  for (const int workers : {2, 8}) {
    std::int64_t staleness_max = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Loopback loopback(options_of(GetParam().method, GetParam().state, workers));
      loopback.run(seed);
      EXPECT_LE(loopback.server().staleness().max, 3);
      staleness_max = std::max(staleness_max, loopback.server().staleness().max);
      EXPECT_GE(loopback.server().version(), 60);
      EXPECT_EQ(loopback.server().ledger().refused_total(), 0);
    }
    EXPECT_GT(staleness_max, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(, LoopbackLaws,
                         ::testing::Values(Case{"sgd_dense", AsynProxSgd{}, StateChoice::dense},
                                           Case{"sgd_lazy", AsynProxSgd{}, StateChoice::lazy},
                                           Case{"saga_dense", AsynProxSaga{}, StateChoice::dense},
                                           Case{"saga_lazy", AsynProxSaga{}, StateChoice::lazy},
                                           Case{"svrg_dense", AsynProxSvrg{}, StateChoice::dense},
                                           Case{"momentum_dense", AsynProxMomentum{},
                                                StateChoice::dense}),
                         [](const auto& tested) { return tested.param.name; });

// What a push of a lazy model costs, in whole runs.
TEST(LoopbackBytes, FollowTheNonzerosAndNotTheDimension) {
  Loopback dense(options_of(AsynProxSgd{}, StateChoice::dense, 1));
  Loopback lazy(options_of(AsynProxSgd{}, StateChoice::lazy, 1));
  dense.run();
  lazy.run();
  EXPECT_EQ(dense.bytes_pushed(), 60u * (96 + 8 * 60));
  EXPECT_LE(lazy.bytes_pushed(), 60u * (112 + 16 * 8 * 5));
}

}  // namespace
}  // namespace asynprox
