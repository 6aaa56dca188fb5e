// What a runtime is told beside the server, the workers and the monitor.
#pragma once

#include <optional>
#include <vector>

#include "asynprox/base/random.h"
#include "asynprox/checkpoints/run_state.h"
#include "asynprox/delays/any_delay.h"
#include "asynprox/linalg/vectors.h"

namespace asynprox {

// A worker goes away after so many pushes, without answering the model it holds, and comes back in
// a new life after a while.
struct Absence {
  int worker = 0;
  int after_pushes = 1;
  double seconds = 0.001;
};

// Algorithm 2: push i of step k is computed at the model of step k - tau(k, i), whoever computes
// it.
struct GivenDelays {
  AnyDelay delay;
  int pushes_per_step = 1;  // m
  Random random = Random(1);

  std::int64_t tau(std::int64_t k, std::int64_t i) const {
    return delay.tau({.k = k, .number = k * pushes_per_step + i, .random = random});
  }
};

struct RunOptions {
  // A step is computed while other workers push and pull. It pays where that takes longer than the
  // lock costs once more.
  bool steps_outside_lock = false;

  bool pin_threads = false;  // worker j stays on core j, of those this process may use

  std::vector<Absence> absences = {};

  // Threads: workers take the time of machines that do so many samples per second, see pacer.h.
  std::optional<double> pace = {};
  Vector speeds = {};

  std::optional<GivenDelays> delays = {};  // serial and its replay

  const RunState* resumed = nullptr;  // where the run goes on from; it begins, if there is none
};

}  // namespace asynprox
