// A plan is every number that a run needs, as a value: made once from what a caller chose and what
// the problem is like, written to run.json (json.h), and enough to make the run again in
// another process that has the same problem.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "asynprox/algorithm/methods/method_handle.h"
#include "asynprox/algorithm/stopping.h"
#include "asynprox/delays/any_delay.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/problem/smoothness.h"
#include "asynprox/run/choices.h"
#include "asynprox/runtimes/run_options.h"
#include "asynprox/sampling/any_sampling.h"
#include "asynprox/simulator/cluster.h"
#include "asynprox/step_sizes/any_step_size.h"
#include "asynprox/step_sizes/auto.h"

namespace asynprox {

struct MethodPlan {
  AnyMethod method = make_method({.name = "asyn-prox-sgd", .settings = {}});
  AnyStepSize step = AutoStep{};
  bool bold = false;  // steps follow what evaluations find

  const MethodTraits& traits() const { return method.traits(); }
  bool grows() const { return bold && traits().control == StepControl::judged_and_batches_grow; }
  bool synchronous() const { return traits().turns == Turns::synchronous; }
  bool owns_samples() const { return traits().batch == BatchOf::own_samples; }
  bool takes_steps() const { return traits().control != StepControl::refinements; }
  bool whole_gradient() const { return traits().batch == BatchOf::all_samples; }
};

struct WorkerPlan {
  int workers = 1;                 // W
  int slots = 1;                   // gradients that can be outstanding: W, or 2 W if pipelined
  int pushes_per_step = 1;         // m
  std::int64_t staleness_max = 0;  // T
  StalenessPolicy staleness_policy = StalenessPolicy::hold;
  std::int64_t staleness_expected = 0;  // at most T
};

// What improves a model between steps.
struct RefinementPlan {
  bool newton = false;
  bool fallback = false;
};

struct CurvaturePlan {
  Smoothness plain;
  Smoothness scaled;  // in units in which columns are equally curved; the same without scales
};

struct BatchPlan {
  std::int64_t size = 1;             // N
  std::vector<std::int64_t> shares;  // samples in a push, by worker; empty: N / m
  AnySampling sampling = make_sampling({.name = "replacement", .settings = {}});
  // Batches that may grow: the pushes of a whole pass; at most so many, if there is not the memory
  // for as many; and what a pass reads, more than 1 where samples come several times.
  int pushes_per_pass = 0;
  int pushes_max = 0;
  double epochs_per_pass = 1;
};

// The step `theory`, and the number of steps from which on the paper's corollary speaks of it.
struct Corollary {
  CorollaryTerms terms = {};
  std::string gap_reason = {};
  std::string variance_reason = {};
  double step = 0;
  double steps_least = 0;
  bool steps_enough = false;  // the run was to take so many
};

struct StepPlan {
  StepContext context;
  std::optional<Corollary> corollary;  // of the step `theory`
  double reference_step = 1;           // of the gradient mapping
};

struct EvaluationPlan {
  std::optional<std::int64_t> every = {};  // steps; as suits the method
  double first = 0.5;  // after this part of an epoch, where there are several in one
};

struct ExecutionPlan {
  Runtime runtime = Runtime::threads;
  bool pin = false;
  std::optional<double> pace = {};
  Vector speeds = {};
  std::vector<Absence> absences = {};
  std::optional<AnyDelay> delays = {};
  Cluster cluster = {};             // of a simulated run
  bool steps_outside_lock = false;  // see runtimes/run_options.h
};

// Vectors that follow from the problem and the plan.
struct PlanVectors {
  Vector scales = {};                                    // of the steps, by coordinate; empty: 1
  std::shared_ptr<const Vector> sample_lipschitz = {};   // L_i, if the sampling asks for it
  std::shared_ptr<const Vector> support_weights = {};    // of a lazy model that moves its support
  std::shared_ptr<const Vector> column_curvatures = {};  // see scaling.h; null: not asked for
};

// Their hashes: another process finds out whether it has the same problem. Empty: no such vector.
struct VectorHashes {
  std::string scales = {};
  std::string sample_lipschitz = {};
  std::string support_weights = {};
  std::string start = {};  // of numbers that the caller gave as x_0
  bool operator==(const VectorHashes&) const = default;
};

// What the plan is for: it is refused for a problem of another shape or regulariser.
struct ProblemMark {
  std::uint64_t samples = 0;
  std::uint64_t dimension = 0;  // with intercepts
  std::uint64_t intercepts = 0;
  std::string regularizer = {};  // its spec
  bool operator==(const ProblemMark&) const = default;
};

// Version of the plan's schema. Plans of other versions are refused.
inline constexpr int kPlanVersion = 1;

struct Plan {
  int version = kPlanVersion;
  ProblemMark problem;
  MethodPlan method;
  WorkerPlan workers;
  RefinementPlan refinements;
  CurvaturePlan curvature;
  StateChoice state = StateChoice::dense;
  BatchPlan batch;
  StepPlan steps;
  EvaluationPlan evaluation;
  StoppingRules stop;
  ExecutionPlan execution;
  Start start = Start::zeros;
  std::uint64_t seed = 1;
  VectorHashes hashes;
  std::vector<std::string> choices;  // what was chosen for the caller, and why
  std::vector<std::string> warnings;

  const MethodTraits& traits() const { return method.traits(); }
  bool bold() const { return method.bold; }
  bool grows() const { return method.grows(); }
  bool synchronous() const { return method.synchronous(); }
};

}  // namespace asynprox
