//   eta_k = decay_k / (L_N (1 + T))           L_N = (1 - 1/N) L + L_max / N,  T the staleness
//   decay_k = min(1, 2 (1 - k/K))             where the run is to take K steps; at least 1/K
//             1 / sqrt(1 + k / (5 epochs))    where K is not known, epochs counted in steps
// A step that uses every sample once has no noise: eta_k = 1 / (L (1 + T)), without decay.
//
// L_N is the expected smoothness of the mean of N samples drawn with replacement; L_max is that of
// the worst sample, and at least L. L may be local (problem/finite_sum.h): poisson has no other.
#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>
#include <tuple>

#include "asynprox/base/errors.h"
#include "asynprox/step_sizes/step_size.h"

namespace asynprox {

struct AutoStep {
  static constexpr std::string_view name = "auto";
  static constexpr std::string_view formula = "eta_k = decay_k / (L_N (1 + T))";
  static constexpr bool looks_at_delays = true;

  static constexpr auto parameters() { return std::tuple(); }

  // Throws ContractError where L is not known.
  double eta(const StepContext& context) const {
    require(context.lipschitz > 0 && std::isfinite(context.lipschitz),
            "the step auto needs a Lipschitz constant of the gradient of f, and this problem has "
            "none; choose another, for example constant:ETA");
    const double staleness_factor = 1 + static_cast<double>(context.staleness);
    if (context.full_gradient) return 1 / (context.lipschitz * staleness_factor);
    return decay(context) / (batch_lipschitz(context) * staleness_factor);
  }

 private:
  static double batch_lipschitz(const StepContext& context) {
    const double share = 1 / static_cast<double>(context.batch_size);
    const double worst = std::max(context.lipschitz_sample_max, context.lipschitz);
    return (1 - share) * context.lipschitz + share * worst;
  }

  static double decay(const StepContext& context) {
    const auto k = static_cast<double>(context.k);
    if (!context.horizon) return 1 / std::sqrt(1 + k / (5 * context.steps_per_epoch));
    const auto K = static_cast<double>(std::max<std::int64_t>(*context.horizon, 1));
    return std::clamp(2 * (1 - k / K), 1 / K, 1.0);
  }
};
static_assert(StepSize<AutoStep>);

}  // namespace asynprox
