#include "cli/outcome.h"

#include <fmt/format.h>

#include "cli/exit_codes.h"

namespace asynprox::cli {
namespace {

bool tolerance_was_asked_for(const FitArguments& arguments) {
  const StoppingRules& asked = arguments.options.stop;
  return asked.tolerance.value_or(0) > 0 || !asked.any();
}

bool not_converged(const FitArguments& arguments, const Result& result) {
  switch (result.stop_reason) {
    case StopReason::converged:
    case StopReason::stationary:
    case StopReason::diverged:
    case StopReason::interrupted: return false;
    // It was the tolerance that was not met, whatever limits there are.
    case StopReason::stalled: return result.plan.stop.tolerance.value_or(0) > 0;
    case StopReason::step_limit:
    case StopReason::epoch_limit:
    case StopReason::time_limit: return tolerance_was_asked_for(arguments);
  }
  return false;
}

// As plan_refinements decides it.
bool takes_a_fallback(const FitArguments& arguments, const Result& result) {
  return result.plan.bold() && result.plan.execution.runtime != Runtime::simulated &&
         !arguments.options.pace && arguments.problem.model == "linear";
}

// Other ways than that of a method that was named.
std::string advice_on_method(const FitArguments& arguments, const Result& result) {
  const ProblemSpec& problem = arguments.problem;
  if (takes_a_fallback(arguments, result)) return "try --method auto, or --fallback on";
  const bool columns_may_be_far = problem.intercept && !problem.center;
  if (result.plan.method.whole_gradient() && columns_may_be_far)
    return "try --method auto, or --center, as columns far from zero make this method slow";
  return "try --method auto";
}

std::string advice(const FitArguments& arguments, const Result& result) {
  const bool named = arguments.options.method && !result.plan.refinements.fallback;
  if (result.stop_reason != StopReason::stalled)
    return named && result.plan.method.whole_gradient()
               ? advice_on_method(arguments, result) + "; or a higher limit"
               : "try a higher limit";
  if (named) return advice_on_method(arguments, result);
  if (result.regularizer_value == 0 && arguments.problem.regularizer == "zero")
    return "try a regularizer: without one there may be no unique minimum (columns that depend on "
           "each other) or none at all (classes that can be separated)";
  if (arguments.problem.standardize == "columns")
    return "try a larger --tolerance, or fewer columns";
  return "try --standardize columns, or a larger --tolerance";
}

}  // namespace

std::optional<std::string> outcome_warning(const FitArguments& arguments, const Result& result) {
  if (result.stop_reason == StopReason::diverged)
    return fmt::format("diverged: {}", result.stop_detail);
  if (result.found_nothing)
    return fmt::format("no model better than the start was found: {}; try a higher limit",
                       result.stop_detail);
  if (!not_converged(arguments, result)) return std::nullopt;
  const bool said = result.stop_detail.starts_with("not converged");
  return fmt::format("{}{}; {}", said ? "" : "not converged: ", result.stop_detail,
                     advice(arguments, result));
}

int exit_code_of(const FitArguments& arguments, const Result& result, const SignalWatch& signals) {
  if (result.stop_reason == StopReason::diverged || result.found_nothing) return kDiverged;
  if (result.stop_reason == StopReason::interrupted) return signals.exit_code();
  return not_converged(arguments, result) ? kNotConverged : kDone;
}

}  // namespace asynprox::cli
