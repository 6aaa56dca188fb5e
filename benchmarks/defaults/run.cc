#include "benchmarks/defaults/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace asynprox::benchmarks {
namespace {

Result solved(const DefaultsProblem& problem, const std::optional<AnyMethod>& method, int workers,
              const StoppingRules& stop) {
  return solve(*problem.data, problem.loss, problem.h,
               {.method = method, .workers = workers, .stop = stop, .runtime = Runtime::serial});
}

Scale scale_of(const Result& result, const Optimum& optimum) {
  return {.start = result.trace.front().objective, .minimum = optimum.objective};
}

double epochs_to(const Trace& trace, const Scale& scale, double relative) {
  for (const Evaluation& evaluation : trace)
    if (scale.relative(evaluation.objective) <= relative) return evaluation.epochs;
  return std::numeric_limits<double>::infinity();
}

}  // namespace

double Scale::way(double objective) const { return (objective - minimum) / (start - minimum); }

double Scale::relative(double objective) const {
  return (objective - minimum) / std::max(std::abs(minimum), 1e-3 * (start - minimum));
}

Outcome run_for(const DefaultsProblem& problem, const Optimum& optimum,
                const std::optional<AnyMethod>& method, int workers, double epochs) {
  const Result result = solved(problem, method, workers, {.epochs = epochs});
  const Scale scale = scale_of(result, optimum);
  return {.way = scale.way(result.objective),
          .relative = scale.relative(result.objective),
          .epochs_to_1e3 = epochs_to(result.trace, scale, 1e-3),
          .epochs_to_1e6 = epochs_to(result.trace, scale, 1e-6),
          .epochs_to_1e9 = epochs_to(result.trace, scale, 1e-9),
          .evaluations = static_cast<double>(result.trace.size()),
          .above_start = !(result.objective <= scale.start),
          .settings = fmt::format("N {}, {}", result.plan.batch.size, name(result.plan.state))};
}

Claim claim_of(const DefaultsProblem& problem, const Optimum& optimum,
               const std::optional<AnyMethod>& method, int workers, double epochs,
               double tolerance) {
  const Result result =
      solved(problem, method, workers, {.epochs = epochs, .tolerance = tolerance});
  const double relative = scale_of(result, optimum).relative(result.objective);
  const bool converged = result.stop_reason == StopReason::converged;
  return {.converged = converged,
          .is_false = converged && !(relative <= 10 * tolerance),
          .relative = relative,
          .epochs = result.epochs,
          .reason = std::string(name(result.stop_reason))};
}

}  // namespace asynprox::benchmarks
