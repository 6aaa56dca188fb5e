//   eta_k = decay_k / (L_N (1 + T))           L_N = (1 - 1/N) L + L_max / N,  T the staleness
//   decay_k = min(1, 2 (1 - k/K))             where the run is to take K steps; at least 1/K
//             1 / sqrt(1 + k / (5 epochs))    where K is not known, epochs counted in steps
// Where evaluations judge the steps no decay is needed: eta_k = boldness / (2 L_N max(1, T)), L_N
// there without replacement, and as bold as they allow (algorithm/bold_driver.h).
// A step that uses every sample once has no noise: eta_k = 1 / (L (1 + T)), without decay.
//
// L_N is the expected smoothness of the mean of N samples drawn with replacement; L_max is that of
// the worst sample, and at least L. L may be local (sums/finite_sum.h): poisson has no other.
//
// Gower, Loizou, Qian, Sailanbayev, Shulgin and Richtarik (2019), SGD: general analysis and
// improved rates.
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
  static constexpr bool bold = true;

  static constexpr auto parameters() { return std::tuple(); }

  // Throws ContractError where L is not known.
  double eta(const StepContext& context) const {
    require(context.lipschitz > 0 && std::isfinite(context.lipschitz),
            "the step auto needs a Lipschitz constant of the gradient of f, and this problem has "
            "none; choose another, for example constant:ETA");
    const double staleness_factor = 1 + static_cast<double>(context.staleness);
    if (context.full_gradient) return 1 / (context.lipschitz * staleness_factor);
    if (context.judged)
      return context.boldness / (2 * distinct_batch_lipschitz(context) *
                                 static_cast<double>(std::max<std::int64_t>(1, context.staleness)));
    return decay(context) / (batch_lipschitz(context) * staleness_factor);
  }

 private:
  static double batch_lipschitz(const StepContext& context) {
    const double share = 1 / static_cast<double>(context.batch_size);
    const double worst = std::max(context.lipschitz_sample_max, context.lipschitz);
    return (1 - share) * context.lipschitz + share * worst;
  }

  // (n (N-1)) / (N (n-1)) L + (n-N) / (N (n-1)) L_max
  static double distinct_batch_lipschitz(const StepContext& context) {
    const auto n = static_cast<double>(context.num_samples);
    const auto N = std::min(n, static_cast<double>(context.batch_size));
    if (n <= 1) return context.lipschitz;
    const double worst = std::max(context.lipschitz_sample_max, context.lipschitz);
    return (n * (N - 1) * context.lipschitz + (n - N) * worst) / (N * (n - 1));
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
