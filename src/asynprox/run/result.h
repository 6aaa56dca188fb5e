// What came of a run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "asynprox/algorithm/ledger.h"
#include "asynprox/algorithm/staleness.h"
#include "asynprox/algorithm/stopping.h"
#include "asynprox/algorithm/trace.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/run/plan.h"
#include "asynprox/simulator/cluster.h"

namespace asynprox {

// The conditions of Theorem 1 of the paper, checked against the enforced bound T.
struct TheoryCondition {
  std::string statement;  // "eta_k <= 1 / (16 L)"
  double left = 0;
  double right = 0;
  bool met = false;
};

// The bound on the mean of E|P|^2 over a run, P at the run's own step, as printed and as it holds;
// and that mean in this very run, over the steps at which it was evaluated.
struct ErgodicBound {
  double printed = 0;
  double corrected = 0;
  std::optional<double> measured = {};
  std::int64_t evaluations = 0;
};

struct Theory {
  std::optional<double> lipschitz;  // a safe bound on L, and why it is one
  std::string lipschitz_reason;
  // Empty where the theorem says nothing: no safe L is known, no step was taken, another method.
  std::optional<bool> conditions_met;
  std::vector<TheoryCondition> conditions;
  std::vector<std::string> assumptions;       // what else it asks for, and whether that is so here
  std::optional<Corollary> corollary;         // of the step `theory`
  std::optional<ErgodicBound> ergodic_bound;  // the same, where K was known from the start
};

struct Result {
  Vector x;                   // the coefficients: x[C j + c] of feature j, output c
  Vector intercept;           // C, where one was asked for
  bool has_objective = true;  // false: f has no value, and objective and loss_value are NaN
  double objective = 0;
  double loss_value = 0;
  double regularizer_value = 0;
  double gradient_mapping = 0;  // |P(x, grad f(x), eta)|, eta the plan's reference step
  // The objective is at most this above its minimum: an answer with a bound on its error. Empty for
  // a loss that is not convex, and where no such bound is known (h = zero among them).
  std::optional<double> duality_gap;
  // max over y of <grad f(x), x - y> + h(x) - h(y), where it is finite: 0 exactly at critical
  // points, also where f is not convex.
  std::optional<double> stationarity_gap;
  std::int64_t nonzeros = 0;  // of x

  std::size_t dimension = 0;  // features
  std::size_t outputs = 1;    // C
  std::size_t samples = 0;

  std::int64_t steps = 0;
  std::int64_t sample_gradients = 0;  // applied, or read by Newton's method
  std::int64_t computed = 0;          // the same, with those refused or pending
  double epochs = 0;
  double seconds = 0;             // of the run
  double evaluation_seconds = 0;  // not part of `seconds`

  // Stochastic steps did not meet the tolerance, and the run went on by other means (options.h),
  // with so many FISTA steps, a pass over the data each.
  bool fell_back = false;
  std::int64_t fallback_passes = 0;

  // What worked on the model: the method, and the refinements (refinements/all.h) that found better
  // models than steps did. "asyn-prox-saga", "prox-newton".
  std::vector<std::string> method_parts;

  StopReason stop_reason = StopReason::step_limit;
  std::string stop_detail;
  // No model better than the start was found, and nothing says that the start is a minimum.
  bool found_nothing = false;

  int pushes_per_step = 1;  // at the end, where it grew
  StalenessStatistics staleness;
  Ledger ledger;
  std::optional<SimulationReport> simulation;  // of a simulated run; its seconds are virtual
  Theory theory;
  Trace trace;
  Plan plan;                          // as it was carried out
  std::vector<std::string> warnings;  // of the plan, and of what came of it
};

}  // namespace asynprox
