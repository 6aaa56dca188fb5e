// The part of a plan that is about samples: how many in a batch and a push, which, and how often.
#pragma once

#include <memory>

#include "asynprox/problem/problem.h"
#include "asynprox/run/chosen.h"
#include "asynprox/run/options.h"
#include "asynprox/run/plan.h"
#include "asynprox/run/plan_curvature.h"

namespace asynprox {

// Up to here a lazy model's batch is made larger to save messages. Its steps cost the server little, so that
// nothing else asks for more samples.
inline constexpr double kLazyBatch = 128;

// What the choice of a batch follows from.
struct BatchBasis {
  const MethodPlan& method;
  const WorkerPlan& workers;
  const SampleCurvature& curvature;
  StateChoice state;
  const Vector& scales;
};

struct BatchChoice {
  BatchPlan plan;
  std::shared_ptr<const Vector> sample_lipschitz = {};  // see sample_lipschitz_for()
};

// Throws ContractError where the choices do not fit each other or the problem.
Chosen<BatchChoice> plan_batch(const Problem& problem, const Options& options,
                               const BatchBasis& basis);

// N where none is given.
double useful_batch(const Problem& problem, const MethodPlan& method,
                    const SampleCurvature& curvature, bool lazy);

// L_i in the units of `scales`, if the sampling asks for it; else null. ContractError where f does
// not know it.
std::shared_ptr<const Vector> sample_lipschitz_for(const Problem& problem,
                                                   const AnySampling& sampling,
                                                   const Vector& scales);

// 1 / (the probability that a step touches the coordinate), for lazy models that move only what
// they touch; else null. What no sample touches never moves.
std::shared_ptr<const Vector> support_weights_for(const Problem& problem, const MethodPlan& method,
                                                  StateChoice state, std::int64_t batch_size);

}  // namespace asynprox
