#include "asynprox/run/check_plan.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "asynprox/base/errors.h"
#include "asynprox/problem/newton_search.h"
#include "asynprox/runtimes/pacer.h"

namespace asynprox {
namespace {

void expect(bool holds, std::string_view field, std::string_view expected) {
  if (!holds) throw DataError(fmt::format("plan.{}: expected {}", field, expected));
}

void check_workers(const Problem& problem, const Plan& plan) {
  const WorkerPlan& workers = plan.workers;
  expect(workers.workers >= 1, "workers.workers", "at least 1");
  expect(workers.slots == workers.workers || workers.slots == 2LL * workers.workers,
         "workers.slots", "as many as workers, or twice as many");
  const bool shared_out = plan.traits().whole_gradient || plan.traits().owns_samples;
  expect(!shared_out || static_cast<std::size_t>(workers.slots) <= problem.f.num_samples(),
         "workers.slots", "at most one per sample");
  expect(workers.pushes_per_step >= 1, "workers.pushes_per_step", "at least 1");
  expect(!plan.synchronous() || workers.pushes_per_step <= workers.workers,
         "workers.pushes_per_step", "at most one per worker");
  expect(workers.staleness_max >= 0 && workers.staleness_expected >= 0, "workers.staleness_max",
         "at least 0");
}

void check_method(const Problem& problem, const Plan& plan) {
  const MethodTraits& traits = plan.traits();
  expect(!traits.convex_only || problem.f.convex(), "method.method", "one for losses as this");
  expect(!traits.needs_scalars || problem.f.has_scalars(), "method.method",
         "one for models as this");
  const RefinementPlan& refinements = plan.refinements;
  expect(!refinements.newton ||
             (problem.h.separable() && problem.f.convex() && NewtonSearch::possible(problem)),
         "refinements.newton", "false: this problem does not allow it");
  expect(!refinements.fallback || problem.f.has_outputs(), "refinements.fallback",
         "false: this problem does not allow it");
  const bool lazy_possible = problem.h.separable() && problem.f.has_keys() && traits.lazy;
  expect(plan.state == StateChoice::dense || (plan.state == StateChoice::lazy && lazy_possible),
         "state", "dense, or lazy where that is possible");
}

void check_batch(const Problem& problem, const Plan& plan) {
  const BatchPlan& batch = plan.batch;
  const std::int64_t m = plan.workers.pushes_per_step;
  expect(batch.size >= 1 && batch.size >= (plan.traits().whole_gradient ? 1 : m), "batch.size",
         "at least one sample per push");
  expect(
      batch.shares.empty() || batch.shares.size() == static_cast<std::size_t>(plan.workers.slots),
      "batch.shares", "none, or one per worker");
  for (const std::int64_t share : batch.shares)
    expect(share >= 1 && share <= batch.size, "batch.shares", "from 1 to the size of the batch");
  const auto samples_max = std::int64_t{1} << 40;
  expect(batch.size <= samples_max, "batch.size", "a number of samples that can be computed");
  expect(batch.epochs_per_pass > 0 && std::isfinite(batch.epochs_per_pass), "batch.epochs_per_pass",
         "above 0");
  const auto n = static_cast<double>(problem.f.num_samples());
  const bool counted = plan.grows() ? batch.pushes_per_pass >= m && batch.pushes_max >= m &&
                                          batch.pushes_max <= batch.pushes_per_pass &&
                                          batch.pushes_per_pass <= 2 * n * batch.epochs_per_pass
                                    : batch.pushes_per_pass == 0 && batch.pushes_max == 0;
  expect(counted, "batch.pushes_per_pass", "pieces of a pass, where batches grow");
  const Passes* passes = batch.sampling.get_if<Passes>();
  expect(!plan.grows() || (passes != nullptr && passes->pieces == batch.pushes_per_pass),
         "batch.sampling", "passes of as many pieces as a pass has pushes, where batches grow");
}

void check_steps(const Problem& problem, const Plan& plan) {
  const StepContext& context = plan.steps.context;
  expect(context.num_samples == static_cast<std::int64_t>(problem.f.num_samples()),
         "steps.context.num_samples", "those of the problem");
  expect(context.batch_size == plan.batch.size, "steps.context.batch_size", "that of the batch");
  expect(context.k == 0, "steps.context.k", "0");
  expect(context.steps_per_epoch > 0 && std::isfinite(context.steps_per_epoch),
         "steps.context.steps_per_epoch", "above 0");
  expect(plan.steps.reference_step > 0 && std::isfinite(plan.steps.reference_step),
         "steps.reference_step", "above 0");
  expect(plan.evaluation.every.value_or(1) >= 1, "evaluation.every", "at least 1");
  expect(plan.evaluation.first > 0 && plan.evaluation.first <= 1, "evaluation.first",
         "above 0 and at most 1");
  const StoppingRules& stop = plan.stop;
  expect(stop.any(), "stop", "a limit or a tolerance");
  expect(stop.epochs.value_or(0) >= 0 && stop.steps.value_or(0) >= 0 &&
             stop.seconds.value_or(0) >= 0 && stop.tolerance.value_or(0) >= 0,
         "stop", "numbers of at least 0");
}

void check_execution(const Plan& plan) {
  const ExecutionPlan& execution = plan.execution;
  const auto is_speed = [](double value) { return value >= kSpeedMin && std::isfinite(value); };
  expect(is_speed(execution.pace.value_or(1)), "execution.pace", "a speed");
  for (const double speed : execution.speeds) expect(is_speed(speed), "execution.speeds", "speeds");
  expect(execution.speeds.size() <= static_cast<std::size_t>(plan.workers.workers),
         "execution.speeds", "at most one per worker");
  for (const Absence& absence : execution.absences)
    expect(absence.worker >= 0 && absence.worker < plan.workers.workers && absence.seconds >= 0,
           "execution.absences", "of workers that there are");
  expect(!execution.delays || (execution.runtime == Runtime::serial && !plan.synchronous() &&
                               plan.state == StateChoice::dense &&
                               execution.delays->max() <= plan.workers.staleness_max),
         "execution.delays", "none, or within the bound, of a dense model and the runtime serial");
  if (execution.runtime != Runtime::simulated) return;
  try {
    check_cluster(execution.cluster, plan.workers.workers);
  } catch (const ContractError& error) {
    throw DataError(fmt::format("plan.execution.cluster: {}", error.what()));
  }
}

}  // namespace

void check_plan(const Problem& problem, const Plan& plan) {
  check_workers(problem, plan);
  check_method(problem, plan);
  check_batch(problem, plan);
  check_steps(problem, plan);
  check_execution(plan);
}

}  // namespace asynprox
