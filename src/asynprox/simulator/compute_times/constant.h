//   seconds = samples / rate
#pragma once

#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/simulator/compute_times/compute_time.h"

namespace asynprox {

struct ConstantTime {
  static constexpr std::string_view name = "constant";
  static constexpr std::string_view formula = "samples / rate";
  double rate = kPaperRate;

  static constexpr auto parameters() {
    return std::tuple(parameter(&ConstantTime::rate, "rate", above(0), "samples per second"));
  }

  double variation(const Random&) const { return 1; }
};
static_assert(ComputeTime<ConstantTime>);

}  // namespace asynprox
