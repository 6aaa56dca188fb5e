// The books of a run: every push that was received has an end, or is pending.
//
//   received = applied + refused + pending
#pragma once

#include <array>
#include <cstdint>
#include <numeric>

#include "asynprox/algorithm/messages.h"
#include "asynprox/algorithm/staleness.h"
#include "asynprox/base/fields.h"
#include "asynprox/base/hash.h"

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

// What is counted of a run, and changes nothing in it.
struct Books {
  Ledger ledger;
  StalenessStatistics staleness;
  std::int64_t samples_received = 0, samples_applied = 0;  // gradients of single samples
  double step_size_max = 0;
  Hash steps_hash;  // of what every step so far has written, if that is wanted
};

template <IsA<Ledger> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("received", part.received);
  visit("applied", part.applied);
  visit("pending", part.pending);
  visit("refused", part.refused);
}

template <IsA<StalenessStatistics> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("max", part.max);
  visit("histogram", part.histogram);
}

template <IsA<Books> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("ledger", part.ledger);
  visit("staleness", part.staleness);
  visit("samples_received", part.samples_received);
  visit("samples_applied", part.samples_applied);
  visit("step_size_max", part.step_size_max);
  visit("steps_hash", part.steps_hash);
}

}  // namespace asynprox
