#include "asynprox/run/assembly.h"

#include <algorithm>
#include <limits>

#include "asynprox/run/outcome.h"
#include "asynprox/run/plan_rules.h"
#include "asynprox/run/plan_steps.h"

namespace asynprox {
namespace {

// Stochastic steps that have not met the tolerance after so many epochs are slow: the fallback
// needs ten passes or more, so that a run costs at most five times what the fallback alone would
// have.
constexpr double kEpochsToFallback = 40;

// One per worker, while their gradients together stay below 256 MB. On every runtime the same.
int evaluation_shares(const Problem& problem, const Plan& plan) {
  const std::size_t d = std::max<std::size_t>(1, problem.f.dimension());
  const std::size_t shares_max = std::clamp<std::size_t>((std::size_t{1} << 25) / d, 1, 64);
  return std::min(plan.workers.workers, static_cast<int>(shares_max));
}

}  // namespace

std::unique_ptr<ModelState> make_state(const Problem& problem, const Plan& plan,
                                       const PlanVectors& vectors, Vector x0) {
  return plan.method.method.make_state({.x0 = std::move(x0),
                                        .h = problem.h,
                                        .lazy = plan.state == StateChoice::lazy,
                                        .scales = vectors.scales,
                                        .support_weights = vectors.support_weights});
}

Server make_server(const Problem& problem, const Plan& plan, const PlanVectors& vectors, Vector x0,
                   bool recorded) {
  const WorkerPlan& crew = plan.workers;
  const Stopping stopping(plan.stop, stopping_context(problem, plan));
  const ServerOptions server_options = {
      .pushes_per_step = crew.pushes_per_step,
      .batch_size = plan.batch.size,
      .staleness_max = crew.staleness_max,
      .staleness_policy = crew.staleness_policy,
      .one_push_a_worker = plan.synchronous(),
      .stale_refusals_max =
          has_backup_workers(plan.method, plan.workers) ? std::numeric_limits<int>::max() : 2,
      .any_version = plan.execution.delays.has_value(),
      .hash_steps = recorded,
      .bold = plan.bold(),
      .falls_back = plan.refinements.fallback,
      .epochs_to_fallback = plan.method.takes_steps() ? kEpochsToFallback : 0,
      .pushes_per_pass = plan.batch.pushes_per_pass,
      .pushes_max = plan.batch.pushes_max,
      .deals_samples = plan.method.owns_samples(),
      .workers = crew.slots};
  const double steps_per_epoch = plan.steps.context.steps_per_epoch;
  const EvaluationSchedule schedule =
      plan.evaluation.every ? EvaluationSchedule::every(*plan.evaluation.every)
      : plan.bold()         ? EvaluationSchedule::often(steps_per_epoch, plan.evaluation.first)
                            : EvaluationSchedule::at_growing_epochs(steps_per_epoch);
  const ServerSetup setup = {.dimension = problem.f.dimension(),
                             .num_samples = static_cast<double>(problem.f.num_samples()),
                             .batch_size = static_cast<double>(plan.batch.size),
                             .horizon = plan.steps.context.horizon,
                             .support_weights = vectors.support_weights};
  return Server(make_state(problem, plan, vectors, std::move(x0)), plan.method.step,
                plan.steps.context, server_options, stopping, schedule,
                plan.method.method.server_part(setup));
}

EvaluatorOptions evaluator_options(const Problem& problem, const Plan& plan,
                                   const PlanVectors& vectors) {
  const StoppingRules& stop = plan.stop;
  return {.reference_step = plan.steps.reference_step,
          .own_step = own_step(plan),
          .shares = evaluation_shares(problem, plan),
          .search = plan.bold() && problem.f.linear(),
          .newton = plan.refinements.newton,
          .column_curvatures = vectors.column_curvatures,
          .falls_back = plan.refinements.fallback,
          .certify = stop.tolerance.has_value(),
          .certify_below = plan.bold() ? 10 * stop.tolerance.value_or(0) : 0,
          .tolerance = stop.tolerance.value_or(0),
          .epochs_max = stop.epochs.value_or(std::numeric_limits<double>::infinity()),
          .steps_max = stop.steps.value_or(std::numeric_limits<std::int64_t>::max())};
}

namespace {

WorkerOptions worker_options(const Plan& plan, const PlanVectors& vectors, int worker, int count,
                             const std::atomic<bool>* interrupt) {
  const std::vector<std::int64_t>& shares = plan.batch.shares;
  return {.worker = worker,
          .workers = count,
          .seed = plan.seed,
          .samples_per_push =
              shares.empty() ? plan.batch.size / plan.workers.pushes_per_step : shares[worker],
          .keyed = plan.state == StateChoice::lazy,
          .interrupted =
              interrupt ? [interrupt] { return interrupt->load(); } : std::function<bool()>(),
          .sample_lipschitz = vectors.sample_lipschitz};
}

}  // namespace

std::vector<Worker> make_workers(const Problem& problem, const Plan& plan,
                                 const PlanVectors& vectors, int count,
                                 const std::atomic<bool>* interrupt) {
  std::vector<Worker> workers;
  workers.reserve(count);
  for (int worker = 0; worker < count; ++worker)
    workers.emplace_back(problem.f, plan.method.method, plan.batch.sampling,
                         worker_options(plan, vectors, worker, count, interrupt));
  return workers;
}

Worker make_worker(const Problem& problem, const Plan& plan, const PlanVectors& vectors, int worker,
                   const std::atomic<bool>* interrupt) {
  return {problem.f, plan.method.method, plan.batch.sampling,
          worker_options(plan, vectors, worker, plan.workers.slots, interrupt)};
}

}  // namespace asynprox
