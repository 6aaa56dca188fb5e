#include "asynprox/run/plan_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/certificates/balanced_bound.h"
#include "asynprox/certificates/lower_bound.h"

namespace asynprox {
namespace {

// Data without a nonzero has L = 0, and any step does.
double or_one(double value) { return value > 0 ? value : 1; }

double steps_per_epoch(const Problem& problem, const Plan& plan) {
  if (plan.grows())
    return plan.batch.pushes_per_pass / (plan.workers.pushes_per_step * plan.batch.epochs_per_pass);
  return static_cast<double>(problem.f.num_samples()) /
         (plan.traits().cost * static_cast<double>(plan.batch.size));
}

StepContext step_context(const Problem& problem, const Plan& plan,
                         const SampleCurvature& curvature) {
  const Smoothness& smoothness = curvature.smoothness;
  if (std::isnan(smoothness.sample_mean))
    throw DataError("the data has a value that is not a number (NaN): expected finite values");
  if (!std::isfinite(smoothness.sample_max) || !std::isfinite(smoothness.sample_mean))
    throw DataError("the data's values are so large that their squares overflow; scale them");
  StepContext context;
  context.num_samples = static_cast<std::int64_t>(problem.f.num_samples());
  context.batch_size = plan.batch.size;
  context.full_gradient = plan.method.whole_gradient();
  context.judged = plan.bold();
  context.steps_per_epoch = steps_per_epoch(problem, plan);
  if (smoothness.estimate) {
    context.lipschitz = or_one(*smoothness.estimate);
    context.lipschitz_sample_max = or_one(curvature.sample_max(plan.method));
  }
  if (plan.curvature.plain.bound) context.lipschitz_bound = or_one(*plan.curvature.plain.bound);
  context.staleness = plan.workers.staleness_expected;
  context.staleness_max = plan.workers.staleness_max;
  context.horizon = Stopping(plan.stop, stopping_context(problem, plan)).steps_max();
  return context;
}

double reference_step(const Options& options, const Smoothness& plain) {
  const double step =
      options.reference_step.value_or(plain.estimate ? 1 / or_one(*plain.estimate) : 1);
  if (!options.reference_step && !std::isfinite(step))
    throw DataError(
        fmt::format("the curvature of f is so small that 1 over it overflows (L = {:.3g}); scale "
                    "the data up",
                    *plain.estimate));
  require(step > 0 && std::isfinite(step),
          fmt::format("reference-step: expected a number above 0, got {}", step));
  return step;
}

// What the step `theory` is made of. Fills in what it asks about the start.
std::optional<Corollary> corollary_of(const Problem& problem, const Options& options,
                                      const Plan& plan, StepContext& context) {
  Corollary corollary = {.gap_reason = "given", .variance_reason = "given"};
  const bool full_gradient = plan.method.whole_gradient();
  if (options.step.asks_about_start()) {
    const Vector x0 = make_start(problem, plan.start, plan.seed, options.x0);
    // A step that uses every sample has no noise.
    if (!full_gradient) context.variance = std::max(0.0, gradient_variance(problem.f, x0));
    const bool has_value = problem.f.has_value();
    if (const auto bound =
            has_value ? lower_bound(problem, plan.curvature.plain.bound) : std::nullopt) {
      context.gap = std::max(0.0, objective(problem, x0).total() - bound->value);
      corollary.gap_reason = bound->reason;
    }
  }
  const std::optional<CorollaryTerms> terms = options.step.corollary(context);
  if (!terms || full_gradient) return std::nullopt;
  corollary.terms = *terms;
  if (terms->gap != context.gap) corollary.gap_reason = "given";
  if (terms->variance == context.variance)
    corollary.variance_reason = "its value at x_0, which need not be a bound";
  corollary.step = options.step.eta(context);
  corollary.steps_least = corollary_steps_least(*terms);
  corollary.steps_enough =
      context.horizon && static_cast<double>(*context.horizon) >= corollary.steps_least;
  return corollary;
}

// Passes of the fallback that take seconds, within what is worth a try and what none should need.
std::int64_t passes_to_expect(const Problem& problem) {
  constexpr double kNumbers = 5e9, kLeast = 20'000, kMost = 500'000;
  const double numbers = static_cast<double>(problem.f.num_samples()) * problem.f.mean_keys();
  return static_cast<std::int64_t>(std::clamp(kNumbers / std::max(numbers, 1.0), kLeast, kMost));
}

}  // namespace

StoppingContext stopping_context(const Problem& problem, const Plan& plan) {
  return {.steps_per_epoch = steps_per_epoch(problem, plan),
          .epochs_first = plan.method.owns_samples() ? 1.0 : 0.0,
          .convex = problem.f.convex(),
          .nonnegative = problem.f.nonnegative(),
          .bounded = every_model_has_bound(problem),
          .passes_to_expect = passes_to_expect(problem),
          .falls_back = plan.refinements.fallback};
}

StepPlan plan_steps(const Problem& problem, const Options& options, const Plan& plan,
                    const SampleCurvature& curvature) {
  StepPlan steps;
  steps.context = step_context(problem, plan, curvature);
  steps.reference_step = reference_step(options, plan.curvature.plain);
  steps.corollary = corollary_of(problem, options, plan, steps.context);
  options.step.eta(steps.context);  // a step that cannot be had is found now
  return steps;
}

Vector make_start(const Problem& problem, Start start, std::uint64_t seed,
                  const std::optional<Vector>& given) {
  const std::size_t d = problem.f.dimension() - problem.f.num_free();
  const double unit = d > 0 ? 1 / std::sqrt(static_cast<double>(d)) : 0;
  Vector x = given.value_or(Vector(d, start == Start::uniform ? unit : 0));
  if (start == Start::automatic && !given) x = problem.f.start(seed).value_or(std::move(x));
  require(start != Start::given || given.has_value(),
          "start: expected the numbers that were given");
  if (x.size() == d) x.resize(problem.f.dimension(), 0);  // intercepts begin at 0
  require(x.size() == problem.f.dimension(),
          fmt::format("start: expected {} numbers, got {}", d, x.size()));
  require(all_finite(x), "start: every number must be finite");
  if (start == Start::random && !given) {
    const Random random = Random(seed).stream(0x5747415254);
    for (std::size_t j = 0; j < d; ++j) x[j] = unit * (2 * random.uniform_at(j) - 1);
  }
  if (!std::isfinite(problem.h.value(x))) problem.h.prox(x, 1);
  return x;
}

}  // namespace asynprox
