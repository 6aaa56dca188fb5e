#include "asynprox/run/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asynprox/refinements/all.h"
#include "asynprox/run/theory.h"
#include "asynprox/sampling/all.h"

namespace asynprox {
namespace {

// Columns that differ in size by more are named as the cause where the fallback cannot measure each
// in its own unit and does not converge.
constexpr double kColumnsApart = 100;

// An objective that rose by so many times its size at the start has diverged, whatever limit ended the
// run.
constexpr double kFarAbove = 1e6;

// A start is no answer, unless a bound or its gradient says so or no step was asked for. Steps that are
// not judged may rise above it, but there has to be one.
bool found_nothing(const Plan& plan, StopReason reason, const Trace& trace) {
  if (reason == StopReason::converged || reason == StopReason::stationary ||
      reason == StopReason::interrupted)
    return false;
  const StoppingRules& stop = plan.stop;
  const bool none_asked_for = stop.steps == 0 || stop.epochs == 0.0 || stop.seconds == 0.0;
  const bool judged = plan.refinements.fallback || (plan.bold() && reason == StopReason::stalled);
  const Evaluation &first = trace.front(), &last = trace.back();
  const bool at_start = last.steps == 0 && last.fallback_passes == 0 && last.refined_by.empty();
  if (none_asked_for || !(judged || at_start)) return false;
  const bool certified = last.duality_gap &&
                         *last.duality_gap <= stop.tolerance.value_or(0) * std::abs(last.objective);
  return (at_start || !(last.objective < first.objective)) && !certified &&
         last.gradient_mapping > 0;
}

// Steps that are too long for the samples, without an evaluation that would have judged them. A start
// at the minimum has an objective of about 0, from which every noise is a rise.
bool rose_far(const Trace& trace) {
  const Evaluation &first = trace.front(), &last = trace.back();
  return last.has_objective && first.objective != 0 &&
         last.objective - first.objective > kFarAbove * std::abs(first.objective);
}

std::vector<std::string> method_parts(const Plan& plan, const Trace& trace) {
  std::vector<std::string> parts = {std::string(plan.method.method.name())};
  for (const std::string& refinement : member_names(AllRefinements{})) {
    const bool helped = std::ranges::any_of(trace, [&](const Evaluation& evaluation) {
      return std::ranges::find(evaluation.refined_by, refinement) != evaluation.refined_by.end();
    });
    if (helped && refinement != parts.front()) parts.push_back(refinement);
  }
  return parts;
}

Result figures_of(const Problem& problem, const Plan& plan, const Server& server,
                  const Monitor& monitor) {
  const Evaluation& last = monitor.trace().back();
  Result result;
  const std::size_t free = problem.f.num_free();
  result.x = server.iterate();
  result.intercept.assign(result.x.end() - static_cast<std::ptrdiff_t>(free), result.x.end());
  result.x.resize(result.x.size() - free);
  result.has_objective = last.has_objective;
  result.objective = last.objective;
  result.loss_value = last.loss_value;
  result.regularizer_value = last.regularizer_value;
  result.gradient_mapping = last.gradient_mapping;
  result.duality_gap = last.duality_gap;
  result.stationarity_gap = monitor.stationarity_gap();
  result.nonzeros = last.nonzeros;
  result.outputs = problem.f.outputs();
  result.dimension = result.x.size() / result.outputs;
  result.samples = problem.f.num_samples();
  result.steps = server.version();
  result.sample_gradients = server.sample_gradients() + monitor.samples_searched();
  result.computed = server.sample_gradients_received() + monitor.samples_searched();
  result.epochs = last.epochs;
  result.seconds = monitor.seconds_at_end();
  result.evaluation_seconds = monitor.evaluation_seconds();
  result.fell_back = server.fallen_back() && plan.method.takes_steps();
  result.fallback_passes = last.fallback_passes;
  result.method_parts = method_parts(plan, monitor.trace());
  result.stop_reason = *server.stop_reason();
  if (result.stop_reason == StopReason::converged && !server.stopping().confirms(last))
    result.stop_reason = StopReason::stalled;
  if (result.stop_reason != StopReason::interrupted && rose_far(monitor.trace()))
    result.stop_reason = StopReason::diverged;
  result.found_nothing = found_nothing(plan, result.stop_reason, monitor.trace());
  if (result.found_nothing && result.stop_reason == StopReason::stalled)
    result.stop_reason = StopReason::diverged;
  result.stop_detail = server.stopping().detail(result.stop_reason, last);
  if (result.stop_reason == StopReason::diverged && plan.method.step.name() != AutoStep::name)
    result.stop_detail += "; try a smaller step";
  result.staleness = server.staleness();
  result.pushes_per_step = server.pushes_per_step();
  result.ledger = server.ledger();
  result.trace = monitor.trace();
  result.plan = plan;
  result.warnings = plan.warnings;
  if (monitor.columns_apart() > kColumnsApart && result.stop_reason != StopReason::converged &&
      result.stop_reason != StopReason::stationary)
    result.warnings.push_back(fmt::format(
        "{} couples the columns, which differ in size by a factor of {:.0e}: that takes very many "
        "passes; --standardize columns makes it fast",
        problem.h.name(), monitor.columns_apart()));
  return result;
}

// Messages of a lazy model are as long as the keys of their samples, in virtual time too.
bool delays_from_timing(const Plan& plan) {
  const Runtime runtime = plan.execution.runtime;
  return runtime == Runtime::threads || is_served(runtime) ||
         (runtime == Runtime::simulated && plan.state == StateChoice::lazy);
}

Theory theory_of(const Plan& plan, const Result& result, double step_size_max) {
  Theory theory =
      check_theory({.lipschitz = plan.curvature.plain.bound,
                    .lipschitz_reason = plan.curvature.plain.bound_reason,
                    .method = plan.method.method,
                    .step_size_max = step_size_max,
                    .staleness_max = plan.workers.staleness_max,
                    .draws_with_replacement = plan.batch.sampling.name() == Replacement::name,
                    .step_looks_at_delays = plan.method.step.looks_at_delays(),
                    .delays_from_timing = delays_from_timing(plan)});
  theory.corollary = plan.steps.corollary;
  if (!own_step(plan) || result.steps == 0) return theory;
  theory.ergodic_bound = ergodic_bound(plan.steps.corollary->terms, plan.steps.corollary->step,
                                       static_cast<double>(result.steps));
  theory.ergodic_bound->measured = ergodic_average(result.trace);
  theory.ergodic_bound->evaluations = static_cast<std::int64_t>(result.trace.size());
  return theory;
}

}  // namespace

std::optional<double> own_step(const Plan& plan) {
  if (!plan.steps.corollary || !plan.steps.context.horizon) return std::nullopt;
  return plan.steps.corollary->step;
}

Result result_of(const Problem& problem, const Plan& plan, const Server& server,
                 const Monitor& monitor) {
  Result result = figures_of(problem, plan, server, monitor);
  result.theory = theory_of(plan, result, server.step_size_max());
  return result;
}

}  // namespace asynprox
