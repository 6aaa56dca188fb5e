// What a push and a step cost on this machine, measured on the very server and worker.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "asynprox/algorithm/model_state.h"
#include "asynprox/algorithm/worker.h"

namespace asynprox {

struct Costs {
  double samples_per_second = 0;  // of a worker
  double push_seconds = 0;        // of the server, for a push and the model that answers it
  double step_seconds = 0;        // of the server, for a step
};

// Medians over some tenths of a second. One worker plays all m pushes of a step, on one thread.
// Empty where not even a few steps can be taken: the first gradients are not finite.
std::optional<Costs> measure_costs(std::unique_ptr<ModelState> model, Worker& worker,
                                   int pushes_per_step, std::int64_t batch_size);

}  // namespace asynprox
