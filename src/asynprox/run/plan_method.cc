#include "asynprox/run/plan_method.h"

#include <fmt/format.h>

#include "asynprox/algorithm/methods/all.h"
#include "asynprox/base/errors.h"
#include "asynprox/refinements/newton_search.h"
#include "asynprox/run/plan_rules.h"
#include "asynprox/run/plan_workers.h"
#include "asynprox/sampling/all.h"

namespace asynprox {
namespace {

// Fewer epochs are better spent on steps from the first on.
constexpr double kEpochsOfSaga = 2;

// Numbers in the tables of methods that remember samples: 1 GB.
constexpr std::size_t kTableMax = std::size_t{1} << 27;

// Of an epoch: Newton's method needs no better start, where needs_no_start() says so.
constexpr double kFirstEvaluationByNewton = 1.0 / 8;

// The paper's algorithm cannot come near an optimum at a constant batch size; where gradients can
// be remembered, another can.
Chosen<AnyMethod> best_method(const Problem& problem, const Options& options) {
  const auto chosen = [](const AnyMethod& method, const std::string& reason) {
    return Chosen<AnyMethod>{.value = method,
                             .choices = {fmt::format("method {}: {}", method.name(), reason)}};
  };
  if (options.delays || !options.shares.empty())
    return chosen(AsynProxSgd{}, "what is given is about Algorithm 1");
  if (!options.step.bold())
    return chosen(AsynProxSgd{}, "a step that is given is for Algorithm 1, unless a method is too");
  const std::size_t n = problem.f.num_samples();
  const int workers = worker_count(problem, options);
  const auto slots = static_cast<std::size_t>(slots_of(workers, pipelined(options)));
  if (slots > n) return chosen(AsynProxSgd{}, "there are more workers than samples to share out");
  const std::size_t pushes = options.pushes_per_step.value_or(workers);
  if (static_cast<std::size_t>(options.batch_size.value_or(1)) > n / slots * pushes)
    return chosen(AsynProxSgd{}, "a batch of more samples than workers have of their own");
  const std::size_t numbers = n * problem.f.outputs();
  // Its first epoch fills the table, and moves nothing.
  if (options.stop.epochs && *options.stop.epochs < kEpochsOfSaga)
    return chosen(AsynProxSgd{}, "there are less than two epochs");
  if (!problem.f.factored() || numbers > kTableMax)
    return chosen(AsynProxSgd{}, "not a linear model, or one of too many samples to remember");
  return chosen(AsynProxSaga{},
                fmt::format("a linear model, of which {} numbers are remembered", numbers));
}

// A linear model can be evaluated, and searched for, at little cost.
bool batches_may_grow(const Problem& problem, const Options& options, const MethodTraits& traits) {
  if (traits.control != StepControl::judged_and_batches_grow || options.delays ||
      !problem.f.linear())
    return false;
  if (static_cast<std::size_t>(worker_count(problem, options)) > problem.f.num_samples())
    return false;
  if (options.sampling) return options.sampling->get_if<Passes>() != nullptr;
  return !options.batch_size && !options.pushes_per_step && !options.trace_every;
}

// What is missing for Newton's method, and what is there instead; empty: nothing.
std::string newton_obstacle(const Problem& problem, const Options& options,
                            const MethodPlan& method) {
  if (!method.bold)
    return fmt::format(
        "--step auto, and a method whose steps are judged by evaluations; got {} with the step {}",
        method.method.name(), options.step.name());
  // Its passes take no virtual time, and no worker's pace.
  if (runtime_of(options) == Runtime::simulated) return "real time; got a simulation";
  if (options.pace) return "workers as fast as they are; got a pace";
  std::string obstacle = NewtonSearch::obstacle(problem);
  if (!obstacle.empty()) return obstacle;
  // It keeps some numbers per output, and without columns a Hessian in the outputs of each sample.
  const std::size_t C = problem.f.outputs();
  const std::size_t samples_max =
      kTableMax / (8 * (NewtonSearch::any_number_may_move(problem) ? C : C * C));
  if (problem.f.num_samples() > samples_max)
    return fmt::format("at most {} samples; got {}", samples_max, problem.f.num_samples());
  return {};
}

// Why there can be no fallback; empty: there can.
std::string fallback_obstacle(const Problem& problem, const Options& options,
                              const MethodPlan& method) {
  const auto wanting = [](std::string_view what) {
    return fmt::format("--fallback on requires {}", what);
  };
  if (!method.bold)
    return wanting("--step auto, and a method whose steps are judged by evaluations");
  if (runtime_of(options) == Runtime::simulated || options.pace)
    return wanting("workers as fast as they are: no simulation and no pace");
  if (!problem.f.linear()) return wanting("a linear model");
  return {};
}

// A method without steps is its refinements: they cannot be left out.
RefinementPlan refinements_alone(const Options& options, const MethodPlan& method,
                                 const std::string& no_newton) {
  const std::string_view name = method.method.name();
  require(options.step.bold(),
          fmt::format("{} needs --step auto; got the step {}", name, options.step.name()));
  require(no_newton.empty(), fmt::format("{} needs {}", name, no_newton));
  require(options.newton.value_or(true), fmt::format("{} cannot have --newton off", name));
  require(options.fallback.value_or(true), fmt::format("{} cannot have --fallback off", name));
  require(!options.stop.steps,
          fmt::format("steps: {} takes no steps of Algorithm 1; expected a limit on epochs or "
                      "seconds, or a tolerance",
                      name));
  return {.newton = true, .fallback = true};
}

// Newton's method finds what may move by itself, where a matrix has room for all coordinates; and by
// columns, where an epoch of steps would tell little: there are fewer samples than coordinates, so
// that no sample is much like the others.
bool needs_no_start(const Problem& problem) {
  const std::size_t d = problem.f.dimension();
  return d <= NewtonSearch::coordinates_max ||
         (NewtonSearch::any_number_may_move(problem) && d >= problem.f.num_samples());
}

void check_limits(const StoppingRules& stop) {
  const auto check = [](std::string_view option, double value) {
    require(value >= 0, fmt::format("{}: expected at least 0, got {}", option, value));
  };
  check("epochs", stop.epochs.value_or(0));
  check("steps", static_cast<double>(stop.steps.value_or(0)));
  check("seconds", stop.seconds.value_or(0));
  check("tolerance", stop.tolerance.value_or(0));
}

}  // namespace

Chosen<MethodPlan> plan_method(const Problem& problem, const Options& options) {
  Chosen<AnyMethod> chosen =
      options.method ? Chosen<AnyMethod>{*options.method} : best_method(problem, options);
  const AnyMethod& method = chosen.value;
  const MethodTraits& traits = method.traits();
  const std::string obstacle = method.obstacle(problem);
  require(obstacle.empty(), fmt::format("{} {}", method.name(), obstacle));
  const bool judged =
      traits.control == StepControl::judged || traits.control == StepControl::refinements;
  // Evaluations judge steps by their objectives.
  const bool bold = options.step.bold() && problem.f.has_value() &&
                    (judged || batches_may_grow(problem, options, traits));
  return {.value = {.method = method, .step = options.step, .bold = bold},
          .choices = std::move(chosen.choices)};
}

Chosen<RefinementPlan> plan_refinements(const Problem& problem, const Options& options,
                                        const MethodPlan& method) {
  const std::string no_newton = newton_obstacle(problem, options, method);
  if (!method.takes_steps()) return {.value = refinements_alone(options, method, no_newton)};
  const std::string no_fallback = fallback_obstacle(problem, options, method);
  require(no_fallback.empty() || !options.fallback.value_or(false), no_fallback);
  require(no_newton.empty() || !options.newton.value_or(false),
          "--newton on requires " + no_newton);
  Chosen<RefinementPlan> chosen;
  chosen.value.fallback = no_fallback.empty() && options.fallback.value_or(!options.method);
  chosen.value.newton = no_newton.empty() && options.newton.value_or(!options.method);
  if (chosen.value.newton)
    chosen.choices.emplace_back("newton on: evaluations go on from where Newton's method comes to");
  return chosen;
}

// With a fallback the tolerance is met sooner or later, so limits are for the caller to set. A
// method whose noise vanishes may take its time.
StoppingRules plan_stop(const Options& options, const MethodPlan& method,
                        const RefinementPlan& refinements) {
  check_limits(options.stop);
  StoppingRules stop = options.stop;
  if (refinements.fallback) {
    if (!stop.tolerance) stop.tolerance = 1e-4;
  } else if (!stop.any() && method.traits().control == StepControl::judged) {
    stop = {.epochs = 200, .tolerance = 1e-4};
  }
  return Stopping(stop, StoppingContext{}).rules();
}

EvaluationPlan plan_evaluation(const Problem& problem, const Options& options,
                               const RefinementPlan& refinements) {
  require(!options.trace_every || *options.trace_every >= 1, "trace-every: expected at least 1");
  EvaluationPlan evaluation = {.every = options.trace_every};
  if (refinements.newton && needs_no_start(problem)) evaluation.first = kFirstEvaluationByNewton;
  return evaluation;
}

}  // namespace asynprox
