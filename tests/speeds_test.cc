// Workers of different speeds, in virtual time: the limit of a run does not depend on them, and no
// worker is starved.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <queue>

#include "asynprox/algorithm/server.h"
#include "asynprox/algorithm/worker.h"
#include "asynprox/methods.h"
#include "asynprox/problem/problem.h"
#include "asynprox/sampling.h"
#include "asynprox/solve.h"
#include "asynprox/step_sizes.h"
#include "asynprox/sums/linear_sum.h"

namespace asynprox {
namespace {

struct Cluster {
  std::vector<int> compute_times;  // of each worker, for a push
  int pushes_per_step = 1;
  std::int64_t staleness_max = 2;
  StalenessPolicy policy = StalenessPolicy::hold;
  std::int64_t steps = 1000;
};

struct Outcome {
  Vector mean_iterate;                 // over the second half of the steps
  std::vector<std::int64_t> accepted;  // pushes, by worker
  StalenessStatistics staleness;
};

// Drives the pure server and workers by a queue of (time, worker); ties go to the lower number.
class VirtualRun {
 public:
  VirtualRun(const Problem& problem, const Cluster& cluster, const AnyStepSize& step)
      : cluster_(cluster),
        server_(make_dense_state(Vector(problem.f.dimension(), 0), problem.h), step, {},
                {.pushes_per_step = cluster.pushes_per_step,
                 .batch_size = cluster.pushes_per_step,
                 .staleness_max = cluster.staleness_max,
                 .staleness_policy = cluster.policy},
                Stopping({.steps = cluster.steps}, 1), EvaluationSchedule::every(1'000'000'000)),
        inboxes_(cluster.compute_times.size()) {
    outcome_.mean_iterate.assign(problem.f.dimension(), 0);
    outcome_.accepted.assign(cluster.compute_times.size(), 0);
    for (int worker = 0; worker < static_cast<int>(cluster.compute_times.size()); ++worker)
      workers_.emplace_back(problem.f, AsynProxSgd{}, Replacement{},
                            WorkerOptions{.worker = worker, .seed = 4, .samples_per_push = 1});
  }

  Outcome run() {
    Replies replies;
    for (Worker& worker : workers_) server_.receive(worker.pull(), replies);
    server_.evaluated({}, replies);
    deliver(replies);
    std::int64_t averaged = 0;
    while (!server_.stopped()) {
      const auto [time, number] = queue_.top();
      queue_.pop();
      now_ = time;
      Push push;
      workers_[number].answer(inboxes_[number], push);
      const std::int64_t before = server_.version();
      server_.receive(push, replies);
      if (server_.evaluation_due()) server_.evaluated({.steps = server_.version()}, replies);
      if (server_.version() > before && 2 * server_.version() > cluster_.steps) {
        add_scaled(outcome_.mean_iterate, 1, server_.iterate());
        ++averaged;
      }
      deliver(replies);
    }
    scale(outcome_.mean_iterate, 1 / static_cast<double>(averaged));
    outcome_.staleness = server_.staleness();
    return outcome_;
  }

 private:
  using Due = std::pair<std::int64_t, int>;

  void deliver(Replies& replies) {
    for (Reply& reply : replies) {
      if (reply.verdict == Verdict::stopped) continue;
      if (reply.verdict == Verdict::accepted && now_ > 0) ++outcome_.accepted[reply.worker];
      const int worker = reply.worker;
      std::swap(inboxes_[worker], reply);
      queue_.emplace(now_ + cluster_.compute_times[worker], worker);
    }
    replies.clear();
  }

  Cluster cluster_;
  Server server_;
  std::vector<Worker> workers_;
  std::vector<Reply> inboxes_;
  std::priority_queue<Due, std::vector<Due>, std::greater<>> queue_;
  std::int64_t now_ = 0;
  Outcome outcome_;
};

// Three samples that pull x to 0, 3 and 9: the mean is 4. A worker that kept to a sample of its own
// would weigh it by its speed.
Problem three_means() {
  Dataset data;
  data.rows = Rows::narrowed(
      {.num_columns = 1, .offsets = {0, 1, 2, 3}, .columns = {0, 0, 0}, .values = {1, 1, 1}});
  data.labels = {0, 3, 9};
  return make_problem(LinearSum(data, data.labels, SquaredLoss{}), Zero{});
}

class Speeds : public testing::TestWithParam<std::tuple<StalenessPolicy, int, int>> {};

TEST_P(Speeds, DoNotChangeTheLimit) {
  const auto [policy, pushes_per_step, staleness_max] = GetParam();
  for (const std::vector<int>& times : {std::vector{1, 1, 1}, {1, 4, 100}, {100, 4, 1}}) {
    const Outcome outcome =
        VirtualRun(three_means(),
                   {times, pushes_per_step, staleness_max, policy, /*steps=*/100'000},
                   ConstantStep{.value = 0.02})
            .run();
    // The samples' standard deviation is 3.7; over 5e4 steps the mean of the iterates has one of
    // 0.017. The shares of a worker's own samples would move it by 3 or more.
    EXPECT_NEAR(outcome.mean_iterate[0], 4, 0.1) << fmt::format("times {}", times[2]);
    EXPECT_LE(outcome.staleness.max, staleness_max);
  }
}

TEST_P(Speeds, StarveNobody) {
  const auto [policy, pushes_per_step, staleness_max] = GetParam();
  const Outcome outcome = VirtualRun(three_means(),
                                     {{1, 4, 100},
                                      pushes_per_step,
                                      staleness_max,
                                      policy,
                                      /*steps=*/5000},
                                     ConstantStep{.value = 0.01})
                              .run();
  for (const std::int64_t accepted : outcome.accepted) EXPECT_GE(accepted, 10);
}

INSTANTIATE_TEST_SUITE_P(Grid, Speeds,
                         testing::Combine(testing::Values(StalenessPolicy::hold,
                                                          StalenessPolicy::recompute),
                                          testing::Values(1, 3), testing::Values(0, 2, 8)),
                         [](const auto& grid) {
                           return fmt::format("{}_m{}_T{}", name(std::get<0>(grid.param)),
                                              std::get<1>(grid.param), std::get<2>(grid.param));
                         });

}  // namespace
}  // namespace asynprox
