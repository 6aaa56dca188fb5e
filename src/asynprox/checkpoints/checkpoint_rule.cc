#include "asynprox/checkpoints/checkpoint_rule.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

constexpr std::string_view kSteps = "steps";

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

CheckpointRule checkpoint_rule(std::string_view text, const std::string& what) {
  if (text.ends_with(kSteps)) {
    const auto steps = number_in<std::int64_t>(text.substr(0, text.size() - kSteps.size()));
    if (steps && *steps >= 1) return {.steps = steps};
  } else {
    const auto seconds = number_in<double>(text);
    if (seconds && std::isfinite(*seconds) && *seconds > 0) return {.seconds = seconds};
  }
  throw ContractError(fmt::format(
      "{}: expected seconds above 0, or a number of steps, as in 30 or 1000steps, got '{}'", what,
      text));
}

std::string text_of(const CheckpointRule& rule) {
  if (rule.steps) return fmt::format("{}{}", *rule.steps, kSteps);
  return rule.seconds ? fmt::format("{}", *rule.seconds) : "";
}

}  // namespace asynprox
