// What the paper's Theorem 1 says of a run, and whether it says anything.
//
//   eta_k <= 1 / (16 L)     and     6 eta_k L^2 T sum_{l=1..T} eta_{k+l} <= 1,     for all k
//
// Both are needed: under a constant delay of 63 a run whose step meets the first alone can diverge. The second
// is checked with the largest step in place of each. Then, P being taken at the run's own steps, the mean of
// E|P|^2 weighted by w_k = eta_k - 8 L eta_k^2 is at most
//
//   printed     8 gap / W + sigma^2 / (N W) sum_k (8 L eta_k^2 + 12 eta_k L^2 T sum_l eta_{k-l}^2)
//   corrected   printed + 4 sigma^2 / (N W) sum_k eta_k                          W = sum_k w_k
//
// The proof drops a term of eta_k sigma^2 / (2 N) per step, so the printed bound can fail and the
// corrected one holds: docs/theory.md has the case.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "asynprox/algorithm/methods/all.h"
#include "asynprox/run/options.h"
#include "asynprox/run/result.h"
#include "asynprox/step_sizes/corollary.h"

namespace asynprox {

struct TheoryInput {
  std::optional<double> lipschitz = {};  // a safe bound on L
  std::string lipschitz_reason = {};
  AnyMethod method = AsynProxSgd{};
  double step_size_max = 0;  // 0: no step was taken
  std::int64_t staleness_max = 0;
  bool draws_with_replacement = true;
  bool step_looks_at_delays = false;
  bool delays_from_timing = false;  // else they are given, drawn, or of fixed turns
};

Theory check_theory(const TheoryInput& input);

// K steps, all of size eta; or those listed, eta_{k-l} being none before the first.
ErgodicBound ergodic_bound(const CorollaryTerms& terms, double eta, double K);
ErgodicBound ergodic_bound(const CorollaryTerms& terms, std::span<const double> etas);

// The mean over the steps taken of |P|^2 at the run's own step, each evaluation standing for the
// steps up to the next. Empty before the first step.
std::optional<double> ergodic_average(const Trace& trace);

// x_{k+1} = x_k - eta L x_{k-T}, a step on a quadratic under constant delay, is stable exactly
// while eta L is below this: 2 sin(pi / (2 (2T + 1))).
double stability_limit(std::int64_t T);

}  // namespace asynprox
