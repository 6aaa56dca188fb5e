#include "asynprox/theory.h"

#include <cmath>

namespace asynprox {

Theory check_theory(const TheoryInput& input) {
  Theory theory;
  theory.lipschitz = input.lipschitz;
  theory.lipschitz_reason = input.lipschitz_reason;
  const bool drawn = input.method == Method::asyn_prox_sgd || input.method == Method::prox_sgd;
  theory.assumptions = {
      "the variance of the samples' gradients is bounded everywhere: not checked",
      drawn ? "samples are drawn independently, with replacement: yes"
            : "samples are drawn independently, with replacement: no, every step uses all of them",
      "steps do not look at the samples they are taken with: yes",
  };
  // The theorem is about x <- prox(x - eta G): not about extrapolated points.
  const bool applies = input.method != Method::fista && input.step_size_max > 0;
  if (!theory.lipschitz || !applies) return theory;

  const double L = *theory.lipschitz;
  const double T = static_cast<double>(input.staleness_max);
  const double eta = input.step_size_max;
  const double delayed = 6 * std::pow(eta * L * T, 2);
  theory.conditions = {
      {"eta_k <= 1 / (16 L)", eta, 1 / (16 * L), eta <= 1 / (16 * L)},
      {"6 eta_k L^2 T (eta_{k+1} + ... + eta_{k+T}) <= 1", delayed, 1, delayed <= 1},
  };
  theory.conditions_met = theory.conditions[0].met && theory.conditions[1].met;
  return theory;
}

}  // namespace asynprox
