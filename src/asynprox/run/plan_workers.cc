#include "asynprox/run/plan_workers.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "asynprox/base/errors.h"
#include "asynprox/run/plan_rules.h"
#include "asynprox/runtimes/pacer.h"

namespace asynprox {
namespace {

// A step that touches so many coordinates or more is computed outside the lock.
constexpr double kStepsOutsideLock = 500;

void require_at_least(std::string_view option, std::int64_t least, std::int64_t value) {
  require(value >= least, fmt::format("{}: expected at least {}, got {}", option, least, value));
}

// A step of prox-sgd may leave the slowest workers out; prox-gd and fista need the share of each.
void check_synchronous(const MethodPlan& method, int W, int m) {
  require(pushes_suit(method, W, m),
          fmt::format("pushes-per-step: {} {} one push per worker in a step, {}",
                      method.method.name(), method.whole_gradient() ? "needs" : "has at most", W));
}

// Given delays are the bound, and what steps have to reckon with.
std::int64_t given_bound(const Options& options, const MethodPlan& method) {
  const std::int64_t T = options.delays->max();
  require(!method.synchronous(),
          fmt::format("delays: expected an asynchronous method, got {}", method.method.name()));
  require(runtime_of(options) == Runtime::serial,
          fmt::format("delays: only the runtime serial can follow given ones, got {}",
                      name(runtime_of(options))));
  require(options.state != StateChoice::lazy,
          "delays: old models are kept whole, so the model cannot be lazy");
  require(options.staleness_max.value_or(T) == T,
          fmt::format("staleness-max: the given delays go up to {}, so it can only be that, got {}",
                      T, options.staleness_max.value_or(T)));
  return T;
}

void check_shared_out(const Problem& problem, const MethodPlan& method, const WorkerPlan& plan) {
  const std::size_t n = problem.f.num_samples();
  require(
      enough_samples(method, plan.slots, n),
      fmt::format("workers: {} shares the {} samples out, so expected at most that many, got {}",
                  method.method.name(), n, plan.workers));
}

Chosen<WorkerPlan> with_staleness(const Options& options, const MethodPlan& method,
                                  WorkerPlan plan) {
  if (options.delays) {
    plan.staleness_max = plan.staleness_expected = given_bound(options, method);
    return {.value = plan};
  }
  const bool synchronous = method.synchronous();
  const std::int64_t expected = expected_staleness(plan.slots, plan.pushes_per_step);
  const std::int64_t usual = synchronous ? 0 : std::max<std::int64_t>(4, expected + 1);
  plan.staleness_max = options.staleness_max.value_or(usual);
  require_at_least("staleness-max", 0, plan.staleness_max);
  plan.staleness_expected = std::min(expected, plan.staleness_max);
  require(
      !synchronous || plan.staleness_max == 0,
      fmt::format("staleness-max: {} has no staleness, so it can only be 0", method.method.name()));
  Chosen<WorkerPlan> chosen = {.value = plan};
  const std::int64_t idle_below = (plan.slots - 1) / plan.pushes_per_step;
  if (!synchronous && plan.staleness_max < idle_below &&
      options.staleness_policy == StalenessPolicy::hold)
    chosen.warnings.push_back(
        fmt::format("a staleness bound of {} keeps some of {} workers idle for ever; {} would not",
                    plan.staleness_max, plan.workers, idle_below));
  return chosen;
}

}  // namespace

int worker_count(const Problem& problem, const Options& options) {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  if (options.workers > 0) return options.workers;
  return static_cast<int>(std::min(cores, problem.f.num_samples()));
}

bool pipelined(const Options& options) {
  const Runtime runtime = runtime_of(options);
  return (runtime == Runtime::simulated || runtime == Runtime::cluster) &&
         options.cluster.pipelined;
}

Chosen<WorkerPlan> plan_workers(const Problem& problem, const Options& options,
                                const MethodPlan& method) {
  require_at_least("workers", 0, options.workers);
  WorkerPlan plan = {.workers = worker_count(problem, options),
                     .staleness_policy = options.staleness_policy};
  plan.pushes_per_step = options.pushes_per_step.value_or(plan.workers);
  require_at_least("pushes-per-step", 1, plan.pushes_per_step);
  check_synchronous(method, plan.workers, plan.pushes_per_step);
  if (has_backup_workers(method, plan)) plan.staleness_policy = StalenessPolicy::recompute;
  require(!pipelined(options) || !method.synchronous(),
          fmt::format("pipelined: {} has one push per worker in a step", method.method.name()));
  plan.slots = slots_of(plan.workers, pipelined(options));
  Chosen<WorkerPlan> chosen = with_staleness(options, method, plan);
  check_shared_out(problem, method, chosen.value);
  return chosen;
}

ExecutionPlan plan_execution(const Options& options, const WorkerPlan& workers) {
  if (options.pace) require_speed("pace", *options.pace);
  for (const double speed : options.speeds) require_speed("speeds", speed);
  const Runtime runtime = runtime_of(options);
  require(!options.pace || runtime == Runtime::threads || is_served(runtime),
          "pace: only workers with a thread of their own can take their time");
  require(options.speeds.empty() || options.pace || runtime == Runtime::simulated,
          "speeds: workers differ where they are paced or simulated, and nowhere else");
  require(options.speeds.size() <= static_cast<std::size_t>(workers.workers),
          fmt::format("speeds: expected at most {}, one per worker, got {}", workers.workers,
                      options.speeds.size()));
  require(options.absences.empty() || runtime == Runtime::threads,
          "absences: only workers with a thread of their own can go away");
  ExecutionPlan plan = {.runtime = runtime,
                        .pin = options.pin,
                        .pace = options.pace,
                        .speeds = options.speeds,
                        .absences = options.absences,
                        .delays = options.delays};
  plan.cluster.pipelined = pipelined(options);
  if (runtime != Runtime::simulated) return plan;
  check_cluster(options.cluster, workers.workers);
  plan.cluster = options.cluster;
  return plan;
}

bool steps_outside_lock(const Problem& problem, Runtime runtime, StateChoice state,
                        std::int64_t batch_size) {
  if (runtime != Runtime::threads) return false;
  const auto d = static_cast<double>(problem.f.dimension());
  const double touched = state == StateChoice::dense
                             ? d
                             : std::min(d, static_cast<double>(batch_size) * problem.f.mean_keys());
  return touched >= kStepsOutsideLock;
}

}  // namespace asynprox
