// What a replay says of the run that it made again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "asynprox/checkpoints/run_state.h"

namespace asynprox {

struct Comparison {
  std::int64_t pushes = 0;
  std::int64_t models = 0;                // evaluated ones, and the last
  std::optional<std::string> difference;  // the first, in words; none: the same bits
};

// Of a record up to its end, or to where the run was interrupted and went on from a checkpoint: with the
// state there.
struct ReplayedLeg {
  Comparison comparison;
  std::optional<RunState> seam = {};
};

}  // namespace asynprox
