#include "asynprox/run/theory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace asynprox {
namespace {

std::string about_draws(bool drawn) {
  const char* const answer = drawn ? "yes" : "no, every step uses all of them, without noise";
  return std::string("samples are drawn independently, with replacement: ") + answer;
}

std::string about_steps(bool looks_at_delays) {
  const char* const answer = looks_at_delays ? "yes, but they look at the delays" : "yes";
  return std::string("steps do not look at the samples they are taken with: ") + answer;
}

std::string about_delays(const TheoryInput& input) {
  const bool any = input.staleness_max > 0;
  const char* const answer = !any ? "yes, there are none"
                             : input.delays_from_timing
                                 ? "not checked, they come from timing"
                                 : "yes, they are given, or drawn apart from the samples";
  return std::string("delays do not depend on the samples: ") + answer;
}

// The bound, from sums over the steps of eta, eta^2 and eta_k (eta_{k-1}^2 + ... + eta_{k-T}^2).
ErgodicBound bound_of(const CorollaryTerms& terms, double etas, double squares, double delayed) {
  const double L = terms.lipschitz;
  const double weight = etas - 8 * L * squares;
  const double noise = terms.variance / terms.batch_size;
  const double spread = 8 * L * squares + 12 * L * L * terms.staleness_max * delayed;
  ErgodicBound bound;
  bound.printed = (8 * terms.gap + noise * spread) / weight;
  bound.corrected = bound.printed + 4 * noise * etas / weight;
  return bound;
}

}  // namespace

Theory check_theory(const TheoryInput& input) {
  Theory theory;
  theory.lipschitz = input.lipschitz;
  theory.lipschitz_reason = input.lipschitz_reason;
  const MethodTraits& traits = input.method.traits();
  const bool drawn = traits.batch != BatchOf::all_samples && input.draws_with_replacement;
  theory.assumptions = {
      "the variance of the samples' gradients is bounded everywhere: not checked",
      about_draws(drawn),
      about_steps(input.step_looks_at_delays),
      "every delay is at most T: yes, enforced",
      about_delays(input),
  };
  // The theorem is about x <- prox(x - eta G): not about extrapolated points.
  const bool applies = traits.outside_theorem.empty() && input.step_size_max > 0;
  if (!applies)
    theory.assumptions.push_back(fmt::format(
        "{}, so it says nothing",
        traits.outside_theorem.empty() ? "steps are taken: no" : traits.outside_theorem));
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

ErgodicBound ergodic_bound(const CorollaryTerms& terms, double eta, double K) {
  const double T = terms.staleness_max;
  // Step k, from 0, has min(T, k) steps before it that count.
  const double earlier = K > T ? T * (T - 1) / 2 + (K - T) * T : K * (K - 1) / 2;
  return bound_of(terms, K * eta, K * eta * eta, earlier * eta * eta * eta);
}

ErgodicBound ergodic_bound(const CorollaryTerms& terms, std::span<const double> etas) {
  const auto T = static_cast<std::size_t>(terms.staleness_max);
  double sum = 0, squares = 0, delayed = 0;
  for (std::size_t k = 0; k < etas.size(); ++k) {
    sum += etas[k];
    squares += etas[k] * etas[k];
    for (std::size_t l = 1; l <= std::min(T, k); ++l)
      delayed += etas[k] * etas[k - l] * etas[k - l];
  }
  return bound_of(terms, sum, squares, delayed);
}

std::optional<double> ergodic_average(const Trace& trace) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < trace.size(); ++i) {
    const auto steps = static_cast<double>(trace[i + 1].steps - trace[i].steps);
    sum += steps * std::pow(trace[i].gradient_mapping_own, 2);
  }
  if (trace.empty() || trace.back().steps == 0) return std::nullopt;
  return sum / static_cast<double>(trace.back().steps);
}

double stability_limit(std::int64_t T) {
  return 2 * std::sin(std::numbers::pi / (2 * (2 * static_cast<double>(T) + 1)));
}

}  // namespace asynprox
