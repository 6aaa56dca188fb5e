// The part of a plan that is about samples: how many in a batch and a push, which, and how often.
#pragma once

#include "asynprox/options.h"
#include "asynprox/plan.h"
#include "asynprox/problem/problem.h"

namespace asynprox {

// A batch of fewer samples costs a lazy model's server little.
inline constexpr double kLazyBatch = 128;

// A sample that is so many times as curved as the mean should be drawn more often.
inline constexpr double kUneven = 30;

// N where none is given.
double useful_batch(const Problem& problem, const Plan& plan, bool lazy);

// In this order; each throws ContractError where the choices do not fit each other or the problem.
void choose_balance(const Options& options, Plan& plan);
void choose_batch(const Problem& problem, const Options& options, Plan& plan);
void choose_shares(const Options& options, Plan& plan);
void choose_sampling(const Problem& problem, const Options& options, Plan& plan);
void choose_passes(const Problem& problem, const Options& options, Plan& plan);
void choose_support_weights(const Problem& problem, Plan& plan);

}  // namespace asynprox
