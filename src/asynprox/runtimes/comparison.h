// What a replay says of the run that it made again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace asynprox {

struct Comparison {
  std::int64_t pushes = 0;
  std::int64_t models = 0;                // evaluated ones, and the last
  std::optional<std::string> difference;  // the first, in words; none: the same bits
};

}  // namespace asynprox
