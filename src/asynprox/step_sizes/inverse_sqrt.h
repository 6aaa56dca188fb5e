//   eta_k = eta0 / sqrt(1 + k / period)
#pragma once

#include <cmath>
#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/step_sizes/step_size.h"

namespace asynprox {

struct InverseSqrtStep {
  static constexpr std::string_view name = "inverse-sqrt";
  static constexpr std::string_view formula = "eta_k = eta0 / sqrt(1 + k / period)";
  double eta0 = 0;
  double period = 1;

  static constexpr auto parameters() {
    return std::tuple(
        parameter(&InverseSqrtStep::eta0, "eta0", above(0), "the first step", Presence::required),
        parameter(&InverseSqrtStep::period, "period", above(0), "the unit of k, in steps"));
  }

  double eta(const StepContext& context) const {
    return eta0 / std::sqrt(1 + static_cast<double>(context.k) / period);
  }
};
static_assert(StepSize<InverseSqrtStep>);

}  // namespace asynprox
