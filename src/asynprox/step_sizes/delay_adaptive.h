//   eta_k = min(eta, c / (L (1 + t)))      t the age, in steps, of the oldest gradient in step k
//
// A step that uses fresh gradients is long, one that uses an old one is short: nothing has to be
// known of the delays beforehand.
//
// Mishchenko, Bach, Even and Woodworth (2022), Asynchronous SGD beats minibatch SGD under arbitrary
// delays; Wu, Magnusson, Feyzmahdavian and Johansson (2022), Delay-adaptive step-sizes for
// asynchronous learning.
#pragma once

#include <algorithm>
#include <limits>
#include <string_view>
#include <tuple>

#include "asynprox/base/errors.h"
#include "asynprox/base/parameters.h"
#include "asynprox/step_sizes/step_size.h"

namespace asynprox {

struct DelayAdaptiveStep {
  static constexpr std::string_view name = "delay-adaptive";
  static constexpr std::string_view formula = "eta_k = min(eta, c / (L (1 + staleness)))";
  static constexpr bool looks_at_delays = true;
  double c = 1;
  double eta_max = std::numeric_limits<double>::infinity();

  static constexpr auto parameters() {
    using Self = DelayAdaptiveStep;
    return std::tuple(parameter(&Self::c, "c", above(0), "the step without delay, times L"),
                      parameter(&Self::eta_max, "eta", above(0), "the longest step"));
  }

  // Throws ContractError where L is not known.
  double eta(const StepContext& context) const {
    require(context.lipschitz > 0,
            "the step delay-adaptive needs a Lipschitz constant of the gradient of f, and this "
            "problem has none; choose another, for example constant:ETA");
    const double delay = 1 + static_cast<double>(context.staleness_oldest);
    return std::min(eta_max, c / (context.lipschitz * delay));
  }
};
static_assert(StepSize<DelayAdaptiveStep>);

}  // namespace asynprox
