#include "asynprox/run/plan_curvature.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "asynprox/base/errors.h"
#include "asynprox/problem/gradient_differences.h"
#include "asynprox/problem/scaling.h"
#include "asynprox/run/plan_batch.h"
#include "asynprox/run/plan_rules.h"
#include "asynprox/run/plan_steps.h"

namespace asynprox {
namespace {

// A step of some of the samples that is chosen here is as long as their L_i allow, and L bounds none
// of these.
bool needs_samples_lipschitz(const Problem& problem, const Smoothness& known,
                             const MethodPlan& method) {
  return method.step.name() == AutoStep::name && !method.whole_gradient() &&
         problem.f.num_samples() > 1 && *known.estimate > 0 && !(known.sample_max > 0);
}

Chosen<Smoothness> with_samples_lipschitz(const Problem& problem, const Options& options,
                                          std::span<const double> x, Smoothness known) {
  const double of_samples =
      sample_lipschitz_by_differences(problem, x, options.seed, options.interrupt);
  known.sample_max = known.sample_mean = std::max(*known.estimate, of_samples);
  std::string choice = fmt::format(
      "L_i = {:.3g} of single samples: f knows its L alone, so they are estimated from differences "
      "of gradients near the start",
      known.sample_max);
  return {.value = std::move(known), .choices = {std::move(choice)}};
}

}  // namespace

Smoothness measure_smoothness_for(const Problem& problem, const MethodPlan& method,
                                  std::uint64_t seed, std::span<const double> scales) {
  const double n = static_cast<double>(problem.f.num_samples());
  // A round of Lanczos costs about an epoch: many are worth it only where the data is small or the
  // steps are as expensive, else a tenth of the samples has to do.
  const StepControl control = method.traits().control;
  const bool rough = control == StepControl::judged || control == StepControl::refinements;
  const bool small = n * problem.f.mean_keys() <= (rough ? 2e4 : 5e5);
  SmoothnessOptions options = {.rounds_max = 100, .seed = seed, .scales = scales};
  if (method.whole_gradient() && method.takes_steps())
    return measure_smoothness(problem.f, options);
  options.rounds_max = small ? 30 : 10;
  if (!small) options.samples_max = static_cast<std::size_t>(std::max(1000.0, n / 10));
  return measure_smoothness(problem.f, options);
}

Chosen<Smoothness> plan_smoothness(const Problem& problem, const Options& options,
                                   const MethodPlan& method, Start start) {
  Smoothness known = measure_smoothness_for(problem, method, options.seed);
  if (known.estimate && !needs_samples_lipschitz(problem, known, method))
    return {.value = std::move(known)};
  const Vector x = make_start(problem, start, options.seed, options.x0);
  if (known.estimate) return with_samples_lipschitz(problem, options, x, std::move(known));
  Smoothness estimated = smoothness_by_differences(problem, x, options.seed, options.interrupt);
  std::string choice = fmt::format(
      "L = {:.3g}: f does not know it, so it is estimated from differences of gradients near the "
      "start",
      *estimated.estimate);
  return {.value = std::move(estimated), .choices = {std::move(choice)}};
}

Chosen<ScalePlan> plan_scales(const Problem& problem, const Options& options,
                              const MethodPlan& method, const Smoothness& plain) {
  Chosen<ScalePlan> chosen = {.value = {.smoothness = plain}};
  if (!method.bold || !method.takes_steps()) return chosen;
  if (!options.scaling || !problem.h.separable()) return chosen;
  const StateChoice unscaled =
      plan_state(problem, options, method, {.smoothness = plain}, /*has_scales=*/false);
  if (unscaled == StateChoice::lazy && method.traits().lazy != LazyForm::on_support) return chosen;
  ScalePlan& plan = chosen.value;
  plan.column_curvatures = std::make_shared<const Vector>(column_curvatures(problem.f));
  plan.scales = chosen_scales(problem, *plan.column_curvatures);
  if (plan.scales.empty()) return chosen;
  plan.smoothness = measure_smoothness_for(problem, method, options.seed, plan.scales);
  chosen.choices.push_back(fmt::format(
      "scaling: a step in a feature is up to {:.3g} times that in another, by their curvature",
      *std::ranges::max_element(plan.scales)));
  return chosen;
}

double SampleCurvature::sample_max(const MethodPlan& method) const {
  const double mean = smoothness.sample_mean, most = smoothness.sample_max;
  return balances ? std::min(most, (method.grows() ? 4 : 2) * mean) : most;
}

SampleCurvature plan_balance(const Options& options, const MethodPlan& method,
                             const Smoothness& scaled) {
  if (options.sampling)
    return {.smoothness = scaled, .balances = options.sampling->asks_for_lipschitz()};
  return {.smoothness = scaled,
          .balances = (method.grows() || method.owns_samples()) &&
                      scaled.sample_max > kUneven * scaled.sample_mean};
}

StateChoice plan_state(const Problem& problem, const Options& options, const MethodPlan& method,
                       const SampleCurvature& curvature, bool has_scales) {
  const bool possible = lazy_possible(problem, method);
  if (options.state == StateChoice::lazy)
    require(possible,
            fmt::format("a lazy model needs a separable regulariser, sparse data that is not "
                        "centred, and a method that has such a form; asked for with {} and {}",
                        problem.h.name(), method.method.name()));
  if (options.delays) return StateChoice::dense;
  if (options.state != StateChoice::automatic) return options.state;
  if (has_scales && method.traits().lazy != LazyForm::on_support) return StateChoice::dense;
  double batch = options.batch_size ? static_cast<double>(*options.batch_size)
                                    : useful_batch(problem, method, curvature, /*lazy=*/true);
  // Batches that grow make up for dense steps, which can be scaled.
  if (method.grows()) batch = std::max(batch, kLazyBatch);
  // Of several outputs each coordinate has a record of its own in a lazy model, and in a dense one
  // they lie side by side.
  const double cost_of_key = problem.f.outputs() > 1 ? 40 : 4;
  const bool pays =
      cost_of_key * batch * problem.f.mean_keys() < static_cast<double>(problem.f.dimension());
  return possible && pays ? StateChoice::lazy : StateChoice::dense;
}

}  // namespace asynprox
