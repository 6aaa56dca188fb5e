// What a loop does that finds nothing to do: it spins as long as an answer may be microseconds away,
// then lets others have the core, then sleeps.
#pragma once

namespace asynprox {

enum class Rest { spin, yield, sleep };

// After so many seconds without anything to do.
constexpr Rest rest_after(double idle_seconds) {
  constexpr double kSpinSeconds = 50e-6;
  constexpr double kYieldSeconds = 1e-3;
  if (idle_seconds < kSpinSeconds) return Rest::spin;
  return idle_seconds < kYieldSeconds ? Rest::yield : Rest::sleep;
}

// Does it.
void take(Rest rest);

}  // namespace asynprox
