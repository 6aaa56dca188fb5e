// A run at one moment, as bytes: all that shapes what comes after it. A runtime that was made in the same
// way, for the same problem and plan, goes on from there to the same bits.
#pragma once

#include <cstdint>

#include "asynprox/base/snapshot.h"

namespace asynprox {

struct RunState {
  std::int64_t steps = 0;    // taken so far
  std::uint64_t events = 0;  // recorded so far
  Snapshot session = {};     // the server and the evaluations, with the trace so far
  Snapshot workers = {};
  Snapshot messages = {};  // which worker holds which model, and what else the runtime keeps
  Snapshot clock = {};     // the time of the run so far
};

}  // namespace asynprox
