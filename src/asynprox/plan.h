// From what a caller chose, and what the problem is like, to every number a run needs.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "asynprox/options.h"
#include "asynprox/problem/problem.h"
#include "asynprox/problem/smoothness.h"
#include "asynprox/result.h"

namespace asynprox {

struct Plan {
  Settings settings;
  Smoothness smoothness;
  Smoothness scaled_smoothness;  // in the units of `scales`; the same without
  StepContext context;
  int slots = 1;  // gradients that can be outstanding: the workers, or two for each if pipelined
  std::vector<std::int64_t> shares;    // samples in a push, by worker; empty: N / m
  std::optional<Corollary> corollary;  // of the step `theory`
  double reference_step = 1;
  bool bold = false;                 // steps follow what evaluations find
  int pushes_per_pass = 0;           // up to which batches may grow; 0: they stay as they are
  int pushes_max = 0;                // the same, if there is not the memory for as many
  double epochs_per_pass = 1;        // more, where samples come several times
  bool balances = false;             // samples of large L_i are drawn more often, and count less
  double first_evaluation = 0.5;     // after this part of an epoch, where there are several in one
  bool steps_outside_lock = false;   // see runtimes/run_options.h
  std::vector<std::string> choices;  // what was chosen for the caller, and why
  std::vector<std::string> warnings;

  AnySampling sampling = Replacement{};
  std::shared_ptr<const Vector> sample_lipschitz;   // L_i, if the sampling asks for it
  std::shared_ptr<const Vector> support_weights;    // of a lazy model that moves what it touches
  std::shared_ptr<const Vector> column_curvatures;  // f's curvature_diagonal(), if it was asked for
  Vector scales;                                    // of the steps, by coordinate; empty: 1

  const MethodTraits& traits() const { return settings.method.traits(); }
  bool grows() const { return bold && traits().batches_grow; }

  // The largest that a sample has in a batch, on average: where those of large L_i are drawn more
  // often and count less, a few times the mean (sampling/passes.h, importance.h).
  double sample_lipschitz_max() const {
    const double mean = scaled_smoothness.sample_mean, most = scaled_smoothness.sample_max;
    return balances ? std::min(most, (grows() ? 4 : 2) * mean) : most;
  }
  bool full_gradient() const { return traits().whole_gradient; }
  double epochs_first() const { return traits().owns_samples ? 1 : 0; }
  bool synchronous() const { return traits().turns == Turns::synchronous; }

  // Synchronous, but a step does not wait for the slowest: what they bring late is computed anew.
  bool backup_workers() const {
    return synchronous() && !full_gradient() && settings.pushes_per_step < settings.workers;
  }
};

StoppingContext stopping_context(const Problem& problem, const Plan& plan);

// Throws ContractError where the choices do not fit each other or the problem.
Plan make_plan(const Problem& problem, const Options& options);

// x_0 as the plan says, moved to where h is finite.
Vector make_start(const Problem& problem, const Options& options, Start start);

}  // namespace asynprox
