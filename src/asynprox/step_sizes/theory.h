//   eta = min(sqrt(gap N / (2 K L sigma^2)), 1 / (16 L (T + 1)^2))        see corollary.h
//
// The step of the paper's corollary, cut so that the conditions of Theorem 1 hold also where K is
// smaller than it asks for. T is the enforced bound and L one that is safe. Where K is not known it
// is the longest of these steps.
#pragma once

#include <algorithm>
#include <string_view>
#include <tuple>

#include "asynprox/base/errors.h"
#include "asynprox/base/parameters.h"
#include "asynprox/step_sizes/corollary.h"
#include "asynprox/step_sizes/step_size.h"

namespace asynprox {

struct TheoryStep {
  static constexpr std::string_view name = "theory";
  static constexpr std::string_view formula =
      "eta = min(sqrt(gap N / (2 K L sigma2)), 1 / (16 L (T + 1)^2))";
  double gap = 0;
  double sigma2 = 0;

  static constexpr auto parameters() {
    return std::tuple(
        parameter(&TheoryStep::gap, "gap", at_least(0),
                  "Psi(x_0) - Psi*; 0: Psi(x_0) less a bound on Psi*, where one is known"),
        parameter(&TheoryStep::sigma2, "sigma2", at_least(0),
                  "a bound on the variance of a sample's gradient; 0: its value at x_0"));
  }

  // Is there anything about x_0 that was not given?
  bool asks_about_start() const { return gap == 0 || sigma2 == 0; }

  // What the step is made of. Throws ContractError where something is not known.
  CorollaryTerms corollary(const StepContext& context) const {
    require(
        context.lipschitz_bound > 0,
        "the step theory needs a safe bound on the Lipschitz constant of the gradient of f, and "
        "this problem has none; choose another, for example constant:ETA");
    require(gap > 0 || context.gap.has_value(),
            "the step theory needs Psi(x_0) - Psi*, and no lower bound on this objective is known; "
            "give it: theory:gap=VALUE");
    return {.gap = gap > 0 ? gap : *context.gap,
            .variance = sigma2 > 0 ? sigma2 : context.variance,
            .lipschitz = context.lipschitz_bound,
            .batch_size = static_cast<double>(context.batch_size),
            .staleness_max = static_cast<double>(context.staleness_max)};
  }

  double eta(const StepContext& context) const {
    const CorollaryTerms terms = corollary(context);
    const double longest = corollary_step_max(terms);
    if (!context.horizon) return longest;
    const double K = static_cast<double>(std::max<std::int64_t>(*context.horizon, 1));
    const double wanted = corollary_step(terms, K);
    // Without a gap or without noise the formula says nothing.
    return wanted > 0 ? std::min(wanted, longest) : longest;
  }
};
static_assert(StepSize<TheoryStep>);

}  // namespace asynprox
