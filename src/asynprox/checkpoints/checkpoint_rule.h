// How often a run leaves a checkpoint.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace asynprox {

// After so many seconds of wall-clock time, or so many steps; an evaluation of the fallback, which
// takes no steps, counts as one.
struct CheckpointRule {
  std::optional<double> seconds = {};
  std::optional<std::int64_t> steps = {};

  bool any() const { return seconds || steps; }
  bool operator==(const CheckpointRule&) const = default;
};

// "30" or "0.5": seconds; "1000steps": steps. Throws ContractError, "<what>: expected ...".
CheckpointRule checkpoint_rule(std::string_view text, const std::string& what);

// What checkpoint_rule() makes the same rule of; "" for none.
std::string text_of(const CheckpointRule& rule);

}  // namespace asynprox
