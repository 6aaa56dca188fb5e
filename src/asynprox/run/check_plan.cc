#include "asynprox/run/check_plan.h"

#include <fmt/format.h>

#include <cmath>

#include "asynprox/algorithm/event.h"
#include "asynprox/base/errors.h"
#include "asynprox/refinements/newton_search.h"
#include "asynprox/run/plan_rules.h"
#include "asynprox/run/plan_steps.h"
#include "asynprox/run/planning.h"
#include "asynprox/runtimes/pacer.h"
#include "asynprox/sampling/all.h"

namespace asynprox {
namespace {

// More samples than this in one push are more than a computer could draw.
constexpr std::int64_t kSamplesPerPushMax = std::int64_t{1} << 31;

template <class Value>
void expect(bool holds, std::string_view field, std::string_view expected, const Value& got) {
  if (!holds) throw DataError(fmt::format("plan.{}: expected {}, got {}", field, expected, got));
}

void check_problem(const Problem& problem, const Plan& plan) {
  const ProblemMark here = mark_of(problem);
  const auto same = [](std::string_view field, const auto& recorded, const auto& now) {
    expect(recorded == now, field, fmt::format("{}, as this problem has", now), recorded);
  };
  same("problem.samples", plan.problem.samples, here.samples);
  same("problem.dimension", plan.problem.dimension, here.dimension);
  same("problem.intercepts", plan.problem.intercepts, here.intercepts);
  same("problem.regularizer", plan.problem.regularizer, here.regularizer);
}

void check_workers(const Problem& problem, const Plan& plan) {
  const WorkerPlan& workers = plan.workers;
  expect(workers.workers >= 1, "workers.workers", "at least 1", workers.workers);
  const Runtime runtime = plan.execution.runtime;
  const bool pipelined = (runtime == Runtime::simulated || runtime == Runtime::cluster) &&
                         plan.execution.cluster.pipelined;
  expect(workers.workers <= kRecordedWorkersMax, "workers.workers",
         fmt::format("at most {}", kRecordedWorkersMax), workers.workers);
  expect(workers.slots == slots_of(workers.workers, pipelined), "workers.slots",
         pipelined ? "two per worker" : "one per worker", workers.slots);
  expect(workers.slots <= kRecordedWorkersMax, "workers.slots",
         fmt::format("at most {}", kRecordedWorkersMax), workers.slots);
  expect(enough_samples(plan.method, workers.slots, problem.f.num_samples()), "workers.slots",
         "at most one per sample", workers.slots);
  const int m = workers.pushes_per_step;
  expect(m >= 1, "workers.pushes_per_step", "at least 1", m);
  expect(pushes_suit(plan.method, workers.workers, m), "workers.pushes_per_step",
         plan.method.whole_gradient() ? "one per worker" : "at most one per worker", m);
  expect(workers.staleness_max >= 0, "workers.staleness_max", "at least 0", workers.staleness_max);
  expect(!plan.synchronous() || workers.staleness_max == 0, "workers.staleness_max", "0",
         workers.staleness_max);
  expect(workers.staleness_expected >= 0 && workers.staleness_expected <= workers.staleness_max,
         "workers.staleness_expected", "from 0 to staleness_max", workers.staleness_expected);
}

void check_method(const Problem& problem, const Plan& plan) {
  const AnyMethod& method = plan.method.method;
  const std::string obstacle = method.obstacle(problem);
  expect(obstacle.empty(), "method.method", "a method for this problem",
         fmt::format("{}, which {}", method.name(), obstacle));
  expect(!plan.bold() || (plan.method.step.bold() && problem.f.has_value()), "method.bold",
         "false with this step and problem", true);
  const RefinementPlan& refinements = plan.refinements;
  expect(!refinements.newton || (plan.bold() && NewtonSearch::possible(problem)),
         "refinements.newton", "false for this problem and method", true);
  expect(!refinements.fallback || (plan.bold() && problem.f.linear()), "refinements.fallback",
         "false for this problem and method", true);
  expect(plan.method.takes_steps() || (refinements.newton && refinements.fallback), "refinements",
         "newton and fallback, for a method that takes no steps", method.name());
  const bool lazy = lazy_possible(problem, plan.method);
  expect(plan.state == StateChoice::dense || (plan.state == StateChoice::lazy && lazy), "state",
         lazy ? "dense or lazy" : "dense", name(plan.state));
  expect((plan.start == Start::given) == !plan.hashes.start.empty(), "hashes.start",
         "a hash exactly where the start was given", plan.hashes.start);
}

void check_growth(const Problem& problem, const Plan& plan) {
  const BatchPlan& batch = plan.batch;
  const int m = plan.workers.pushes_per_step;
  if (!plan.grows()) {
    expect(batch.pushes_per_pass == 0, "batch.pushes_per_pass", "0, since batches do not grow",
           batch.pushes_per_pass);
    expect(batch.pushes_max == 0, "batch.pushes_max", "0, since batches do not grow",
           batch.pushes_max);
    return;
  }
  const double pass_size = static_cast<double>(problem.f.num_samples()) * batch.epochs_per_pass;
  expect(batch.epochs_per_pass >= 1 && batch.epochs_per_pass <= 1e6, "batch.epochs_per_pass",
         "from 1 to 1e6", batch.epochs_per_pass);
  expect(pieces_suit(batch.pushes_per_pass, m, pass_size), "batch.pushes_per_pass",
         fmt::format("a multiple of {} up to {}", m, 2 * pass_size), batch.pushes_per_pass);
  expect(batch.pushes_max >= m && batch.pushes_max <= batch.pushes_per_pass, "batch.pushes_max",
         fmt::format("from {} to pushes_per_pass", m), batch.pushes_max);
  const Passes* passes = batch.sampling.get_if<Passes>();
  expect(passes != nullptr && passes->pieces == batch.pushes_per_pass, "batch.sampling",
         fmt::format("passes of {} pieces", batch.pushes_per_pass), batch.sampling.spec());
}

void check_batch(const Problem& problem, const Plan& plan) {
  const BatchPlan& batch = plan.batch;
  const std::int64_t m = plan.workers.pushes_per_step;
  const auto n = static_cast<std::int64_t>(problem.f.num_samples());
  if (plan.method.whole_gradient())
    expect(batch.size == n, "batch.size", fmt::format("all {} samples", n), batch.size);
  else
    expect(batch.size >= m && batch.size % m == 0 && batch.size / m <= kSamplesPerPushMax,
           "batch.size",
           fmt::format("a multiple of {} up to {} times as much", m, kSamplesPerPushMax),
           batch.size);
  expect(!plan.method.owns_samples() || batch.size <= own_batch_max(n, plan.workers), "batch.size",
         "no more samples than workers have of their own", batch.size);
  const std::size_t shares = batch.shares.size();
  expect(shares == 0 || shares == static_cast<std::size_t>(plan.workers.slots), "batch.shares",
         "none, or one per worker", shares);
  for (const std::int64_t share : batch.shares)
    expect(share >= 1 && share <= batch.size, "batch.shares", "from 1 to the size of the batch",
           share);
  check_growth(problem, plan);
}

// What follows from the other parts is computed again.
void check_steps(const Problem& problem, const Plan& plan) {
  const StepContext& context = plan.steps.context;
  const auto same = [](std::string_view field, const auto& recorded, const auto& now) {
    expect(recorded == now, fmt::format("steps.context.{}", field), fmt::format("{}", now),
           recorded);
  };
  same("k", context.k, std::int64_t{0});
  same("num_samples", context.num_samples, static_cast<std::int64_t>(problem.f.num_samples()));
  same("batch_size", context.batch_size, plan.batch.size);
  same("full_gradient", context.full_gradient, plan.method.whole_gradient());
  same("judged", context.judged, plan.bold());
  same("staleness_max", context.staleness_max, plan.workers.staleness_max);
  same("steps_per_epoch", context.steps_per_epoch, stopping_context(problem, plan).steps_per_epoch);
  const double reference = plan.steps.reference_step;
  expect(reference > 0 && std::isfinite(reference), "steps.reference_step", "above 0", reference);
  const std::int64_t every = plan.evaluation.every.value_or(1);
  expect(every >= 1, "evaluation.every", "at least 1", every);
  const double first = plan.evaluation.first;
  expect(first >= 0.01 && first <= 1, "evaluation.first", "from 0.01 to 1", first);
  const StoppingRules& stop = plan.stop;
  expect(stop.any(), "stop", "a limit or a tolerance", "none");
  for (const double number :
       {stop.epochs.value_or(0), stop.seconds.value_or(0), stop.tolerance.value_or(0),
        static_cast<double>(stop.steps.value_or(0))})
    expect(number >= 0, "stop", "numbers of at least 0", number);
}

void check_execution(const Plan& plan) {
  const ExecutionPlan& execution = plan.execution;
  const auto check_speed = [](std::string_view field, double value) {
    expect(value >= kSpeedMin && std::isfinite(value), field, fmt::format("at least {}", kSpeedMin),
           value);
  };
  check_speed("execution.pace", execution.pace.value_or(1));
  for (const double speed : execution.speeds) check_speed("execution.speeds", speed);
  expect(execution.speeds.size() <= static_cast<std::size_t>(plan.workers.workers),
         "execution.speeds", "at most one per worker", execution.speeds.size());
  for (const Absence& absence : execution.absences)
    expect(absence.worker >= 0 && absence.worker < plan.workers.workers && absence.seconds >= 0,
           "execution.absences", "workers that there are", absence.worker);
  if (execution.delays)
    expect(execution.runtime == Runtime::serial && !plan.synchronous() &&
               plan.state == StateChoice::dense &&
               execution.delays->max() <= plan.workers.staleness_max,
           "execution.delays",
           "delays within the bound, of a dense model and the runtime serial, or none",
           execution.delays->spec());
  if (execution.runtime != Runtime::simulated) return;
  naming<ContractError>("plan.execution.cluster",
                        [&] { check_cluster(execution.cluster, plan.workers.workers); });
}

}  // namespace

void check_plan(const Problem& problem, const Plan& plan) {
  check_problem(problem, plan);
  check_workers(problem, plan);
  check_method(problem, plan);
  check_batch(problem, plan);
  check_steps(problem, plan);
  check_execution(plan);
}

}  // namespace asynprox
