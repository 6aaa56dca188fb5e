// How long a worker takes for a push: a random time whose mean is samples / rate, drawn anew for
// each push.
//
//   seconds = (samples / rate) * variation,     variation >= 0 with mean 1
#pragma once

#include <concepts>
#include <string_view>

#include "asynprox/base/random.h"

namespace asynprox {

// An assumption, for the paper states no times: 8192 samples in 100 ms.
inline constexpr double kPaperRate = 81920;

// `variation(random)` may use any numbers of the stream `random`, which is the push's own.
template <class Time>
concept ComputeTime = std::default_initializable<Time> && std::copyable<Time> &&
                      requires(const Time time, const Random& random) {
                        { Time::name } -> std::convertible_to<std::string_view>;
                        { Time::formula } -> std::convertible_to<std::string_view>;
                        Time::parameters();
                        { time.rate } -> std::convertible_to<double>;
                        { time.variation(random) } -> std::same_as<double>;
                      };

}  // namespace asynprox
