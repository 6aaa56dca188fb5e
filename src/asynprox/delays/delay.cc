#include "asynprox/delays/delay.h"

#include <fmt/format.h>

#include <cmath>

#include "asynprox/base/errors.h"

namespace asynprox {

void require_delay(double delay, std::string_view what) {
  if (!(delay >= 0 && delay <= kDelayMax && delay == std::floor(delay)))
    throw ContractError(
        fmt::format("{}: expected a whole number from 0 to {}, got {}", what, kDelayMax, delay));
}

}  // namespace asynprox
