// The books of a run: every push that was received has an end, or is pending.
//
//   received = applied + refused + pending
#pragma once

#include <array>
#include <cstdint>
#include <numeric>

#include "asynprox/algorithm/messages.h"

namespace asynprox {

struct Ledger {
  std::int64_t received = 0;
  std::int64_t applied = 0;
  std::int64_t pending = 0;
  std::array<std::int64_t, kNumRefusals> refused{};

  std::int64_t refused_total() const {
    return std::accumulate(refused.begin(), refused.end(), std::int64_t{0});
  }
  bool balanced() const { return received == applied + refused_total() + pending; }
};

}  // namespace asynprox
