// The part of a plan that follows from how curved f is: L, scales of the coordinates, and whether
// the model is dense or lazy.
#pragma once

#include <memory>

#include "asynprox/problem/problem.h"
#include "asynprox/run/chosen.h"
#include "asynprox/run/options.h"
#include "asynprox/run/plan.h"

namespace asynprox {

// A sample that is so many times as curved as the mean should be drawn more often.
inline constexpr double kUneven = 30;

// L and the L_i of f, in the units of `scales` where there are any.
Smoothness measure_smoothness_for(const Problem& problem, const MethodPlan& method,
                                  std::uint64_t seed, std::span<const double> scales = {});

// The same without scales. Where f does not know L, or L alone and steps are of some of the samples,
// the rest is estimated from differences of gradients near the start (problem/gradient_differences.h).
Chosen<Smoothness> plan_smoothness(const Problem& problem, const Options& options,
                                   const MethodPlan& method, Start start);

struct ScalePlan {
  Vector scales = {};                                    // empty: 1
  std::shared_ptr<const Vector> column_curvatures = {};  // f's, where they were asked for
  Smoothness smoothness;                                 // in the units of `scales`
};

// Scales are used only for steps that evaluations control. `plain`: the smoothness without scales.
Chosen<ScalePlan> plan_scales(const Problem& problem, const Options& options,
                              const MethodPlan& method, const Smoothness& plain);

// How curved samples are, for choosing batches.
struct SampleCurvature {
  Smoothness smoothness;  // scaled
  bool balances = false;  // samples of large L_i are drawn more often, and count less

  // The largest L_i that a sample has in a batch, on average: where those of large L_i are drawn
  // more often and count less, a few times the mean (sampling/passes.h, importance.h).
  double sample_max(const MethodPlan& method) const;
};

// Samples that are far more curved than the mean are better drawn more often, to count less.
SampleCurvature plan_balance(const Options& options, const MethodPlan& method,
                             const Smoothness& scaled);

// Throws ContractError where a lazy model is asked for and cannot be.
StateChoice plan_state(const Problem& problem, const Options& options, const MethodPlan& method,
                       const SampleCurvature& curvature, bool has_scales);

}  // namespace asynprox
