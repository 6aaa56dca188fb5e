// What a caller of solve() may choose. Everything has a default that works without tuning.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "asynprox/algorithm/methods/all.h"
#include "asynprox/algorithm/stopping.h"
#include "asynprox/algorithm/trace.h"
#include "asynprox/delays/all.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/run/choices.h"
#include "asynprox/run/plan.h"
#include "asynprox/runtimes/recorder.h"
#include "asynprox/runtimes/run_options.h"
#include "asynprox/sampling/all.h"
#include "asynprox/simulator/cluster.h"
#include "asynprox/step_sizes/all.h"

namespace asynprox {

struct Options {
  std::optional<AnyMethod> method = {};  // the best that applies
  AnyStepSize step = AutoStep{};
  int workers = 0;                                 // W; 0: one per core
  std::optional<std::int64_t> batch_size = {};     // N; chosen where not given
  std::optional<int> pushes_per_step = {};         // m; W
  std::optional<std::int64_t> staleness_max = {};  // T; max(4, ceil((W - 1) / m) + 1)
  StalenessPolicy staleness_policy = StalenessPolicy::hold;
  std::optional<AnySampling> sampling = {};  // as suits the method
  std::optional<AnyDelay> delays = {};       // Algorithm 2, of a dense model; serial only
  StoppingRules stop = {};  // none given: tolerance 1e-4 and 50 epochs, or 200 (docs/methods.md)
  std::optional<std::int64_t> trace_every = {};  // steps; as suits the method
  Runtime runtime = Runtime::threads;
  bool pin = false;                    // threads: worker j stays on core j
  std::vector<Absence> absences = {};  // threads: workers that go and come back
  std::vector<double> shares = {};     // prox-sgd: of the workers in a step's samples; even
  std::optional<double> pace = {};     // threads: samples per second that a worker does at most
  Vector speeds = {};                  // of the workers, 1 for those not listed: pace * speed
  Cluster cluster = {};                // simulated: what the workers, network and server are like
  bool calibrate = false;              // no faster than this machine was measured to be
  StateChoice state = StateChoice::automatic;
  bool scaling = true;  // where `auto` steps may differ from coordinate to coordinate, they do
  // Newton's method at evaluations (refinements/newton_search.h), for convex linear models and
  // separable h; where it can be, if neither this nor a method is given.
  std::optional<bool> newton = {};
  // Where steps make no progress, go on with proximal Newton and accelerated proximal gradient
  // steps until the tolerance is met (monitor.h): for linear models in real time. On, where it can
  // be, if neither a method nor a step is given.
  std::optional<bool> fallback = {};
  Start start = Start::automatic;
  std::optional<Vector> x0 = {};              // instead of `start`
  std::optional<double> reference_step = {};  // of the gradient mapping; 1 / L
  bool intercept = false;  // linear models: a constant is fitted too, which h does not see
  std::uint64_t seed = 1;

  // The rows are sparse and as they were read, without weights and scales: where a few are far
  // longer than the others, normalising them is worth a word. solve() of a Dataset finds out.
  bool rows_as_read = false;

  // Called once every choice is made and found good, before the first evaluation.
  std::function<void(const Plan&)> on_start = {};
  const std::atomic<bool>* interrupt = nullptr;  // ends the run when it becomes true

  // Called one at a time, maybe from a worker's thread: after each evaluation, and some times a
  // second.
  std::function<void(const Evaluation&)> on_evaluation = {};
  std::function<void(const Progress&)> on_progress = {};

  // Where given, the run is recorded: it gets the events in order, some thousands at a time. With
  // the plan of the result, replay() makes the same run of them.
  EventSink on_events = {};
};

}  // namespace asynprox
