//   seconds = (samples / rate) * v,     v lognormal with mean 1 and standard deviation cv
#pragma once

#include <cmath>
#include <numbers>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/simulator/compute_times/compute_time.h"

namespace asynprox {

struct LognormalTime {
  static constexpr std::string_view name = "lognormal";
  static constexpr std::string_view formula = "(samples / rate) v, v lognormal with mean 1";
  double rate = kPaperRate;
  double cv = 0.2;

  static constexpr auto parameters() {
    return std::tuple(
        parameter(&LognormalTime::rate, "rate", above(0), "samples per second, on average"),
        parameter(&LognormalTime::cv, "cv", {.lower = 0, .upper = 100},
                  "standard deviation over mean"));
  }

  // log v is normal (Box and Muller) with mean -s^2/2 and variance s^2 = log(1 + cv^2).
  double variation(const Random& random) const {
    const double radius = std::sqrt(-2 * std::log1p(-random.uniform_at(0)));
    const double normal = radius * std::cos(2 * std::numbers::pi * random.uniform_at(1));
    const double s = std::sqrt(std::log1p(cv * cv));
    return std::exp(s * normal - s * s / 2);
  }
};
static_assert(ComputeTime<LognormalTime>);

}  // namespace asynprox
