//   eta_k = eta
#pragma once

#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/step_sizes/step_size.h"

namespace asynprox {

struct ConstantStep {
  static constexpr std::string_view name = "constant";
  static constexpr std::string_view formula = "eta_k = eta";
  double value = 0;

  static constexpr auto parameters() {
    return std::tuple(
        parameter(&ConstantStep::value, "eta", above(0), "the step", Presence::required));
  }

  double eta(const StepContext&) const { return value; }
};
static_assert(StepSize<ConstantStep>);

}  // namespace asynprox
