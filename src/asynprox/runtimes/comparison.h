// What a replay reads, and what it says of the run that it made again.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "asynprox/algorithm/event.h"

namespace asynprox {

// The events in order; none after the last.
using EventSource = std::function<std::optional<Event>()>;

struct Comparison {
  std::int64_t pushes = 0;
  std::int64_t models = 0;                // evaluated ones, and the last
  std::optional<std::string> difference;  // the first, in words; none: the same bits
};

}  // namespace asynprox
