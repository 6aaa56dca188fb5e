// What a runtime is told beside the server, the workers and the monitor.
#pragma once

#include <optional>
#include <vector>

#include "asynprox/linalg/vectors.h"

namespace asynprox {

// A worker goes away after so many pushes, without answering the model it holds, and comes back in
// a new life after a while.
struct Absence {
  int worker = 0;
  int after_pushes = 1;
  double seconds = 0.001;
};

struct RunOptions {
  // A step is computed while other workers push and pull. It pays where a step costs more than a
  // push: for a dense model of many coordinates.
  bool steps_outside_lock = false;

  bool pin_threads = false;  // worker j stays on core j, of those this process may use

  std::vector<Absence> absences = {};

  // Threads: workers take the time of machines that do so many samples a second, see pacer.h.
  std::optional<double> pace = {};
  Vector speeds = {};
};

}  // namespace asynprox
