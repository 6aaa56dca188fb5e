#include "asynprox/run/assembly.h"

#include <limits>

#include "asynprox/run/plan_steps.h"

namespace asynprox {
namespace {

// Stochastic steps that have not met the tolerance after so many epochs are slow: the fallback
// needs ten passes or more, so that a run costs at most five times what the fallback alone would
// have.
constexpr double kEpochsToFallback = 40;

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
      .stale_refusals_max = plan.backup_workers() ? std::numeric_limits<int>::max() : 2,
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

std::vector<Worker> make_workers(const Problem& problem, const Plan& plan,
                                 const PlanVectors& vectors, int count,
                                 const std::atomic<bool>* interrupt) {
  const WorkerPlan& crew = plan.workers;
  WorkerOptions options = {.workers = count,
                           .seed = plan.seed,
                           .samples_per_push = plan.batch.size / crew.pushes_per_step,
                           .keyed = plan.state == StateChoice::lazy,
                           .interrupted = interrupt ? [interrupt] { return interrupt->load(); }
                                                    : std::function<bool()>(),
                           .sample_lipschitz = vectors.sample_lipschitz};
  std::vector<Worker> workers;
  workers.reserve(count);
  for (options.worker = 0; options.worker < count; ++options.worker) {
    if (!plan.batch.shares.empty()) options.samples_per_push = plan.batch.shares[options.worker];
    workers.emplace_back(problem.f, plan.method.method, plan.batch.sampling, options);
  }
  return workers;
}

}  // namespace asynprox
