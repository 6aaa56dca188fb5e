//   eta_k = eta0 / (1 + decay k / period)         the schedule of the paper's experiments
#pragma once

#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/step_sizes/step_size.h"

namespace asynprox {

struct TInverseStep {
  static constexpr std::string_view name = "t-inverse";
  static constexpr std::string_view formula = "eta_k = eta0 / (1 + decay k / period)";
  double eta0 = 0;
  double decay = 1;
  double period = 1;

  static constexpr auto parameters() {
    return std::tuple(
        parameter(&TInverseStep::eta0, "eta0", above(0), "the first step", Presence::required),
        parameter(&TInverseStep::decay, "decay", at_least(0), "how fast it falls; 0: constant"),
        parameter(&TInverseStep::period, "period", above(0), "the unit of k, in steps"));
  }

  double eta(const StepContext& context) const {
    return eta0 / (1 + decay * (static_cast<double>(context.k) / period));
  }
};
static_assert(StepSize<TInverseStep>);

}  // namespace asynprox
