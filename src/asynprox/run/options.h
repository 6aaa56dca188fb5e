// What a caller of solve() may choose. Everything has a default that works without tuning. A new
// option that users type is a field and its declaration here; the command line, the TOML file, the
// settings of run.json and the documentation follow from the declaration (option_list.h).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <tuple>
#include <vector>

#include "asynprox/algorithm/event.h"
#include "asynprox/algorithm/methods/method_handle.h"
#include "asynprox/algorithm/stopping.h"
#include "asynprox/algorithm/trace.h"
#include "asynprox/base/option.h"
#include "asynprox/checkpoints/checkpoint_hooks.h"
#include "asynprox/delays/any_delay.h"
#include "asynprox/linalg/vectors.h"
#include "asynprox/run/choices.h"
#include "asynprox/run/option_groups.h"
#include "asynprox/run/plan.h"
#include "asynprox/runtimes/run_options.h"
#include "asynprox/sampling/any_sampling.h"
#include "asynprox/simulator/cluster.h"
#include "asynprox/step_sizes/any_step_size.h"
#include "asynprox/step_sizes/auto.h"

namespace asynprox {

// Real runtimes: `simulate` is a command of its own.
inline constexpr std::array kRealRuntimes = {Runtime::threads, Runtime::serial, Runtime::loopback,
                                             Runtime::mpi};
inline constexpr std::array<Choice<std::optional<bool>>, 3> kSwitchWords = {
    {{"auto", std::nullopt}, {"on", true}, {"off", false}}};
inline constexpr std::array<Choice<bool>, 2> kPinWords = {{{"none", false}, {"cores", true}}};

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
  StoppingRules stop = {};  // where left open: plan_stop() in plan_method.h chooses
  std::optional<std::int64_t> trace_every = {};  // steps; as suits the method
  std::optional<Runtime> runtime = {};           // threads, or serial where delays are given
  double peer_deadline = 60;                     // mpi: seconds of silence, then a rank is lost
  bool pin = false;                              // threads: worker j stays on core j
  std::vector<Absence> absences = {};            // threads: workers that go and come back
  std::vector<double> shares = {};               // prox-sgd: each worker's part of a step; equal
  // Threads, loopback, mpi: samples per second that a worker does at most.
  std::optional<double> pace = {};
  Vector speeds = {};      // of the workers, 1 for those not listed: pace * speed
  Cluster cluster = {};    // simulated: what the workers, network and server are like
  bool calibrate = false;  // no faster than this machine was measured to be
  StateChoice state = StateChoice::automatic;
  bool scaling = true;  // where `auto` steps may differ from coordinate to coordinate, they do
  // Newton's method at evaluations (refinements/newton_search.h), for convex linear models and
  // separable h; where it can be, if neither this nor a method is given.
  std::optional<bool> newton = {};
  // Where steps make no progress, go on with proximal Newton and accelerated proximal gradient
  // steps until the tolerance is met (run_evaluator.h): for linear models in real time. On, where it can
  // be, if neither a method nor a step is given.
  std::optional<bool> fallback = {};
  Start start = Start::automatic;
  std::optional<Vector> x0 = {};              // instead of `start`
  std::optional<double> reference_step = {};  // of the gradient mapping; 1 / L
  bool intercept = false;  // linear models: a constant is fitted too, which h does not see
  std::uint64_t seed = 1;

  // The rows are sparse and as they were read, without weights and scales: then a warning suggests
  // --normalize rows where a few are far longer than the others. Set by solve() of a Dataset.
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

  // Where given, the run leaves checkpoints: what resume() (checkpoints.h) goes on from.
  CheckpointHooks checkpoints = {};

  // What users type, by group. The callbacks and fields that are not declared are for programs.
  static constexpr auto method_options() {
    return group(
        "Method", kRunCommands,
        option(&Options::method, "method", spec_or_auto_form<AnyMethod, make_method>(),
               "asyn-prox-saga, asyn-prox-sgd (the paper's), fista, ...: see 'asynprox list "
               "methods'"),
        option(&Options::step, "step", spec_form<AnyStepSize, make_step_size>(),
               "step sizes: see 'asynprox list step-sizes'"),
        option(&Options::batch_size, "batch_size", Whole{.least = 1},
               "samples per step, over all pushes; a multiple of the pushes per step", "chosen"),
        option(&Options::sampling, "sampling", spec_or_auto_form<AnySampling, make_sampling>(),
               "replacement (the paper's), reshuffle, passes or importance; auto: as suits the "
               "method"),
        option(&Options::newton, "newton", Choices<std::optional<bool>>{kSwitchWords},
               "Newton's method at evaluations, for convex linear models (of several classes: not "
               "centred), separable regularizers and automatic steps, in real time; auto: where "
               "it can be, unless a method is given"),
        option(&Options::fallback, "fallback", Choices<std::optional<bool>>{kSwitchWords},
               "where steps make no progress, go on with proximal Newton and accelerated "
               "proximal gradient steps until the tolerance is met, for linear models in real "
               "time; auto: where it can be, unless a method or a step is given"),
        option(&Options::state, "model_state", Enumeration<StateChoice>{kStateChoices},
               "lazy: the cost follows the features touched, for separable regularizers"),
        option(&Options::seed, "seed", Whole{.least = 0}, "seed of everything random"));
  }
  static constexpr auto worker_options() {
    return group("Workers", kRunCommands,
                 option(&Options::workers, "workers", Whole{.least = 1, .open = 0},
                        "number of workers", "one per core"),
                 option(&Options::pushes_per_step, "pushes_per_step", Whole{.least = 1},
                        "m of the paper", "the number of workers"),
                 option(&Options::staleness_max, "staleness_max", Whole{.least = 0},
                        "enforced bound, in steps", "max(4, ceil((W-1)/m) + 1)"),
                 option(&Options::staleness_policy, "staleness_policy",
                        Enumeration<StalenessPolicy>{kStalenessPolicies},
                        "hold those that are ahead, or recompute what is late"),
                 option(&Options::speeds, "speeds", numbers_form("A/B/C"),
                        "relative speeds of workers that are simulated or paced: 1/1/0.25 makes "
                        "the third four times slower",
                        "1 for those not listed"));
  }
  static constexpr auto runtime_options() {
    return group(
        "Workers", kTrainCommand,
        option(&Options::delays, "delays", spec_form<AnyDelay, make_delay>(),
               "how old each gradient is; see 'asynprox list delays'", "as it comes"),
        option(&Options::runtime, "runtime", Enumeration<Runtime>{kRealRuntimes},
               "who runs the workers; serial: they take turns; loopback: threads that send "
               "messages as bytes; mpi: the ranks that mpirun starts",
               "threads; with --delays serial"),
        option(&Options::peer_deadline, "peer_deadline", above(0),
               "mpi: seconds without a sign of life after which a rank is given up"),
        option(&Options::pin, "pin", Choices<bool>{kPinWords}, "cores: worker j stays on core j"),
        option(&Options::pace, "pace", above(0),
               "samples per second that a worker does at most, by pausing: a few cores show "
               "what many slower machines do",
               "no pauses"));
  }
  static constexpr auto cluster_options() {
    return group(
        "Virtual cluster", kSimulateCommand, part(&Options::cluster),
        option(&Options::calibrate, "calibrate", Flag{},
               "measure this machine first: no worker is faster, no push or step of the server "
               "cheaper"));
  }
  static constexpr auto evaluation_options() {
    return group(
        "Stopping and evaluation", kRunCommands, part(&Options::stop),
        option(&Options::trace_every, "trace_every", Whole{.least = 1},
               "evaluate every so many steps",
               "about every two epochs, or every pass, where steps are judged by it; else at "
               "epochs 1, 2, 3, 5, 8, 13, ..."),
        option(&Options::reference_step, "reference_step", above(0),
               "step at which the gradient mapping is taken", "1/L"));
  }
  static constexpr auto options() {
    return std::tuple(method_options(), worker_options(), runtime_options(), cluster_options(),
                      evaluation_options());
  }
};

// Who runs the workers, as the options say or leave open.
inline Runtime runtime_of(const Options& options) {
  return options.runtime.value_or(options.delays ? Runtime::serial : Runtime::threads);
}

}  // namespace asynprox
