//   eta_k = eta0 / (1 + decay floor(k / period))     the paper's schedule, if its k / k' is whole
#pragma once

#include <cmath>
#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/step_sizes/step_size.h"

namespace asynprox {

struct TInverseStaircaseStep {
  static constexpr std::string_view name = "t-inverse-staircase";
  static constexpr std::string_view formula = "eta_k = eta0 / (1 + decay floor(k / period))";
  double eta0 = 0;
  double decay = 1;
  double period = 1;

  static constexpr auto parameters() {
    return std::tuple(
        parameter(&TInverseStaircaseStep::eta0, "eta0", above(0), "the first step",
                  Presence::required),
        parameter(&TInverseStaircaseStep::decay, "decay", at_least(0),
                  "how fast it falls; 0: constant"),
        parameter(&TInverseStaircaseStep::period, "period", above(0), "steps of equal length"));
  }

  double eta(const StepContext& context) const {
    return eta0 / (1 + decay * std::floor(static_cast<double>(context.k) / period));
  }
};
static_assert(StepSize<TInverseStaircaseStep>);

}  // namespace asynprox
