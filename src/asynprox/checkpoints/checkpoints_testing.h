// A small checkpoint, for tests.
#pragma once

#include <cstdint>

#include "asynprox/checkpoints/checkpoint.h"

namespace asynprox {

inline Checkpoint small_checkpoint(std::uint64_t generation) {
  const auto bytes = [](std::size_t size, int first) {
    Snapshot made(size);
    for (std::size_t i = 0; i < size; ++i) made[i] = static_cast<std::byte>(first + 7 * i);
    return made;
  };
  return {.generation = generation,
          .plan_hash = 0x1234567890abcdef,
          .version = "1.2.3",
          .build = "a compiler; flags; avx2; a libm",
          .data_fingerprint = "0123456789abcdef",
          .run = "{\"a\": \"run\"}",
          .state = {.steps = 71,
                    .events = 142,
                    .session = bytes(130, 1),
                    .workers = bytes(64, 2),
                    .messages = bytes(5, 3),
                    .clock = bytes(17, 4)}};
}

}  // namespace asynprox
