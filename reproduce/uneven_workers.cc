// Eight workers that are not alike: who waits for whom, and what that costs.
#include <fmt/format.h>

#include "asynprox/algorithm/methods/all.h"
#include "asynprox/simulator/compute_times/all.h"

#include "reproduce/experiments.h"
#include "reproduce/speedup.h"

namespace asynprox::reproduce {
namespace {

constexpr int kWorkers = 8;

struct Scenario {
  std::string name;
  double slow_speed = 1;  // of one worker
  bool exponential = false;
};

Cluster cluster_of(const Study& study, const Scenario& scenario) {
  Cluster cluster = study.cluster;
  if (scenario.exponential) cluster.compute = ExponentialTime{.rate = cluster.compute.rate()};
  return cluster;
}

Options synchronous(Options options) {
  options.method = ProxSgd{};
  options.staleness_max = {};
  return options;
}

// Each worker gets as many samples as it is fast, so that all take as long.
Options with_shares_by_speed(Options options, const Scenario& scenario) {
  options.shares.assign(kWorkers, 1);
  options.shares[0] = scenario.slow_speed;
  return options;
}

// A step takes the first seven pushes that were computed at its model; what the eighth brings late
// is computed anew.
Options with_backup(Options options) {
  options.pushes_per_step = kWorkers - 1;
  options.batch_size = kBatch / (kWorkers - 1) * (kWorkers - 1);
  return options;
}

}  // namespace

void study_uneven(const Study& study, const PaperProblem& problem, Findings& findings) {
  Table table{
      .name = "uneven_" + problem.name,
      .title = "Time speedup of 8 workers over one on " + problem.about,
      .how = "simulated",
      .note = fmt::format(
          "To 1e-3, eta = 1/L, N = 8192, interpolated, mean ± standard deviation over {} seeds. "
          "Shares by speed: each worker gets as many samples as it is fast, which the server must "
          "know. A backup worker: a step takes the first seven pushes of eight, and what the "
          "eighth brings late is computed anew.",
          study.seeds),
      .columns = {"workers", "asynchronous", "synchronous", "asynchronous : synchronous",
                  "synchronous, shares by speed", "synchronous, a backup worker"}};
  for (const Scenario& scenario :
       {Scenario{"even"}, Scenario{"one 4 times slower", 0.25},
        Scenario{"one 10 times slower", 0.1}, Scenario{"exponential times", 1, true}}) {
    study.watch.tell(fmt::format("{}: 8 workers, {}", problem.name, scenario.name));
    Options many = study.algorithm_1(problem, kWorkers, 1);
    many.cluster = cluster_of(study, scenario);
    many.speeds = {scenario.slow_speed};
    Options one = study.algorithm_1(problem, 1, 1);
    one.cluster = many.cluster;
    one.speeds = {};
    const auto run = [&](const Options& options) {
      return passages(problem, options, study.seed_numbers(), study.watch);
    };
    const Passages base = run(one);
    const auto time = [&](const Options& options) {
      return speedups({base, run(options)}).back().time_interpolated;
    };
    const Spread asynchronous = time(many), waiting = time(synchronous(many));
    table.rows.push_back({scenario.name, number(asynchronous, 2), number(waiting, 2),
                          number(asynchronous.mean / waiting.mean, 2),
                          number(time(with_shares_by_speed(synchronous(many), scenario)), 2),
                          number(time(with_backup(synchronous(many))), 2)});
  }
  findings.add(std::move(table));
}

}  // namespace asynprox::reproduce
