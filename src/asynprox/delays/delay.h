// What given delays are: tau(k, i), how many steps old the model is that push i of step k is
// computed at, for Algorithm 2 of the paper.
//
//   0 <= tau(k, i) <= min(T, k)         T = max()
//
// Nobody's timing has a say, so the same delays give the same run, and every delay can be studied.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include "asynprox/base/random.h"

namespace asynprox {

struct DelayContext {
  std::int64_t k = 0;       // the step, from 0
  std::int64_t number = 0;  // of the push, from 0: k m + i
  Random random = Random(1);
};

// The largest T: the models of T + 1 steps are kept.
inline constexpr double kDelayMax = 1e9;

// `check()` throws ContractError where the parameters make no sense together or are not whole.
template <class Delay>
concept GivenDelay = std::default_initializable<Delay> && std::copyable<Delay> &&
                     requires(const Delay delay, const DelayContext& context) {
                       { Delay::name } -> std::convertible_to<std::string_view>;
                       { Delay::formula } -> std::convertible_to<std::string_view>;
                       Delay::parameters();
                       delay.check();
                       { delay.max() } -> std::same_as<std::int64_t>;
                       { delay.tau(context) } -> std::same_as<std::int64_t>;
                     };

// Throws ContractError, beginning with `what`, unless `delay` is a whole number from 0 to
// kDelayMax.
void require_delay(double delay, std::string_view what);

}  // namespace asynprox
