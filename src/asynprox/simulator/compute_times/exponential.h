//   seconds = (samples / rate) * v,     v exponential with mean 1: now and then much longer
#pragma once

#include <cmath>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/simulator/compute_times/compute_time.h"

namespace asynprox {

struct ExponentialTime {
  static constexpr std::string_view name = "exponential";
  static constexpr std::string_view formula = "(samples / rate) v, v exponential with mean 1";
  double rate = kPaperRate;

  static constexpr auto parameters() {
    return std::tuple(
        parameter(&ExponentialTime::rate, "rate", above(0), "samples per second, on average"));
  }

  double variation(const Random& random) const { return -std::log1p(-random.uniform_at(0)); }
};
static_assert(ComputeTime<ExponentialTime>);

}  // namespace asynprox
