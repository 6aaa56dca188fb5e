#include "asynprox/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "asynprox/base/errors.h"
#include "asynprox/base/random.h"
#include "asynprox/plan_samples.h"
#include "asynprox/problem/lower_bound.h"
#include "asynprox/problem/newton_search.h"
#include "asynprox/problem/scaling.h"
#include "asynprox/runtimes/pacer.h"

namespace asynprox {
namespace {

// Fewer epochs are better spent on steps from the first on.
constexpr double kEpochsOfSaga = 2;

// Numbers in the tables of methods that remember samples: 1 GB.
constexpr std::size_t kTableMax = std::size_t{1} << 27;

// A step that touches so many coordinates or more is computed outside the lock.
constexpr double kStepsOutsideLock = 500;

// Of an epoch: Newton's method needs no better start, where any coordinates may move.
constexpr double kFirstEvaluationByNewton = 1.0 / 8;

void check_limits(const StoppingRules& stop) {
  const auto check = [](std::string_view option, double value) {
    require(value >= 0, fmt::format("{}: expected at least 0, got {}", option, value));
  };
  check("epochs", stop.epochs.value_or(0));
  check("steps", static_cast<double>(stop.steps.value_or(0)));
  check("seconds", stop.seconds.value_or(0));
  check("tolerance", stop.tolerance.value_or(0));
}

void require_at_least(std::string_view option, std::int64_t least, std::int64_t value) {
  require(value >= least, fmt::format("{}: expected at least {}, got {}", option, least, value));
}

Smoothness measured(const Problem& problem, const Plan& plan, std::span<const double> scales) {
  const std::uint64_t seed = plan.settings.seed;
  const double n = static_cast<double>(problem.f.num_samples());
  // A round of Lanczos costs about an epoch: many are worth it only where the data is small or the
  // steps are as expensive, else a tenth of the samples has to do.
  const bool small = n * problem.f.mean_keys() <= (plan.traits().reduces_variance ? 2e4 : 5e5);
  SmoothnessOptions options = {.rounds_max = 100, .seed = seed, .scales = scales};
  if (plan.full_gradient()) return measure_smoothness(problem.f, options);
  options.rounds_max = small ? 30 : 10;
  if (!small) options.samples_max = static_cast<std::size_t>(std::max(1000.0, n / 10));
  return measure_smoothness(problem.f, options);
}

// W, where none is given: one a core, unless there are fewer samples.
int workers_of(const Problem& problem, const Options& options) {
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  if (options.workers > 0) return options.workers;
  return static_cast<int>(std::min(cores, problem.f.num_samples()));
}

bool pipelined(const Options& options) {
  return options.runtime == Runtime::simulated && options.cluster.pipelined;
}

// The paper's algorithm cannot come near an optimum at a constant batch size; where gradients can
// be remembered, another can.
AnyMethod best_method(const Problem& problem, const Options& options, Plan& plan) {
  const auto chosen = [&](AnyMethod method, const std::string& reason) {
    plan.choices.push_back(fmt::format("method {}: {}", method.name(), reason));
    return method;
  };
  if (options.delays || !options.shares.empty())
    return chosen(AsynProxSgd{}, "what is given is about Algorithm 1");
  if (!options.step.bold())
    return chosen(AsynProxSgd{}, "a step that is given is for Algorithm 1, unless a method is too");
  const std::size_t n = problem.f.num_samples();
  const int workers = workers_of(problem, options);
  const std::size_t slots = static_cast<std::size_t>(workers) * (pipelined(options) ? 2 : 1);
  if (slots > n) return chosen(AsynProxSgd{}, "there are more workers than samples to share out");
  const std::size_t pushes = options.pushes_per_step.value_or(workers);
  if (static_cast<std::size_t>(options.batch_size.value_or(1)) > n / slots * pushes)
    return chosen(AsynProxSgd{}, "a batch of more samples than workers have of their own");
  const std::size_t numbers = n * problem.f.outputs();
  // Its first epoch fills the table, and moves nothing.
  if (options.stop.epochs && *options.stop.epochs < kEpochsOfSaga)
    return chosen(AsynProxSgd{}, "there are less than two epochs");
  if (!problem.f.has_scalars() || numbers > kTableMax)
    return chosen(AsynProxSgd{}, "not a linear model, or one of too many samples to remember");
  return chosen(AsynProxSaga{},
                fmt::format("a linear model, of which {} numbers are remembered", numbers));
}

// A linear model can be evaluated, and searched for, at little cost.
bool batches_may_grow(const Problem& problem, const Options& options, const Plan& plan) {
  if (!plan.traits().batches_grow || options.delays || !problem.f.has_outputs()) return false;
  if (static_cast<std::size_t>(workers_of(problem, options)) > problem.f.num_samples())
    return false;
  if (options.sampling) return options.sampling->get_if<Passes>() != nullptr;
  return !options.batch_size && !options.pushes_per_step && !options.trace_every;
}

void choose_method(const Problem& problem, const Options& options, Plan& plan) {
  Settings& settings = plan.settings;
  settings.method = options.method ? *options.method : best_method(problem, options, plan);
  plan.bold = options.step.bold() &&
              (plan.traits().reduces_variance || batches_may_grow(problem, options, plan));
  require(!plan.traits().convex_only || problem.f.convex(),
          fmt::format("{} needs a convex loss; prox-gd and the stochastic methods do not",
                      settings.method.name()));
  require(!plan.traits().needs_scalars || problem.f.has_scalars(),
          fmt::format("{} needs a linear model, one dot product a sample; asyn-prox-svrg does not",
                      settings.method.name()));
}

// Why there can be no Newton's method; empty: there can.
std::string newton_obstacle(const Problem& problem, const Options& options, const Plan& plan) {
  const auto expected = [](std::string_view what, std::string_view got) {
    return fmt::format("newton: expected {}, got {}", what, got);
  };
  const AnyFiniteSum& f = problem.f;
  if (!plan.bold)
    return expected(
        "a method whose steps evaluations judge, and those steps",
        fmt::format("{} with the step {}", plan.settings.method.name(), options.step.name()));
  // Its passes take no virtual time, and no worker's pace.
  if (options.runtime == Runtime::simulated) return expected("real time", "a simulation");
  if (options.pace) return expected("workers as fast as they are", "a pace");
  if (!problem.h.separable()) return expected("a separable regularizer", problem.h.name());
  if (!f.convex()) return expected("a convex loss", "one that is not");
  if (!NewtonSearch::possible(problem))
    return expected("a linear model of one output, not centred", "another");
  const std::size_t samples_max = kTableMax / 8;  // it keeps some numbers a sample
  if (f.num_samples() > samples_max)
    return expected(fmt::format("at most {} samples", samples_max),
                    fmt::format("{}", f.num_samples()));
  return {};
}

void choose_newton(const Problem& problem, const Options& options, Plan& plan) {
  const std::string obstacle = newton_obstacle(problem, options, plan);
  require(obstacle.empty() || !options.newton.value_or(false), obstacle);
  plan.settings.newton = obstacle.empty() && options.newton.value_or(!options.method);
  if (plan.settings.newton && problem.f.dimension() <= NewtonSearch::coordinates_max)
    plan.first_evaluation = kFirstEvaluationByNewton;
  if (plan.settings.newton)
    plan.choices.emplace_back("newton on: evaluations go on from where Newton's method comes to");
}

// Why there can be no fallback; empty: there can.
std::string fallback_obstacle(const Problem& problem, const Options& options, const Plan& plan) {
  const auto wanting = [](std::string_view what) {
    return fmt::format("--fallback on requires {}", what);
  };
  if (!plan.bold) return wanting("--step auto, and a method whose steps are judged by evaluations");
  if (options.runtime == Runtime::simulated || options.pace)
    return wanting("workers as fast as they are: no simulation and no pace");
  if (!problem.f.has_outputs()) return wanting("a linear model");
  return {};
}

void choose_fallback(const Problem& problem, const Options& options, Plan& plan) {
  const std::string obstacle = fallback_obstacle(problem, options, plan);
  require(obstacle.empty() || !options.fallback.value_or(false), obstacle);
  plan.settings.fallback = obstacle.empty() && options.fallback.value_or(!options.method);
}

// With a fallback the tolerance is met sooner or later, so limits are for the caller to set. One
// whose noise vanishes may take its time.
StoppingRules chosen_stop(const Options& options, const Plan& plan) {
  StoppingRules stop = options.stop;
  if (plan.settings.fallback) {
    if (!stop.tolerance) stop.tolerance = 1e-4;
  } else if (!stop.any() && plan.traits().reduces_variance) {
    stop = {.epochs = 200, .tolerance = 1e-4};
  }
  return stop;
}

StateChoice chosen_state(const Problem& problem, const Options& options, const Plan& plan) {
  const bool possible = problem.h.separable() && problem.f.has_keys() && plan.traits().lazy;
  if (options.state == StateChoice::lazy)
    require(possible,
            fmt::format("a lazy model needs a separable regulariser, sparse data that is not "
                        "centred, and a method that has such a form; asked for with {} and {}",
                        problem.h.name(), plan.settings.method.name()));
  if (options.delays) return StateChoice::dense;
  if (options.state != StateChoice::automatic) return options.state;
  if (!plan.scales.empty() && !plan.traits().on_support) return StateChoice::dense;
  double batch = options.batch_size ? static_cast<double>(*options.batch_size)
                                    : useful_batch(problem, plan, /*lazy=*/true);
  // Batches that grow make up for dense steps, which can be scaled.
  if (plan.grows()) batch = std::max(batch, kLazyBatch);
  const bool pays = 4 * batch * problem.f.mean_keys() < static_cast<double>(problem.f.dimension());
  return possible && pays ? StateChoice::lazy : StateChoice::dense;
}

// Only steps that need no theory of the paper's are taken in other units.
void choose_scales(const Problem& problem, const Options& options, Plan& plan) {
  if (!plan.bold || !options.scaling || !problem.h.separable()) return;
  const bool lazy = chosen_state(problem, options, plan) == StateChoice::lazy;
  if (lazy && !plan.traits().on_support) return;
  plan.column_curvatures =
      std::make_shared<const Vector>(problem.f.curvature_diagonal().value_or(Vector()));
  plan.scales = chosen_scales(problem, *plan.column_curvatures);
  if (plan.scales.empty()) return;
  plan.scaled_smoothness = measured(problem, plan, plan.scales);
  plan.choices.push_back(fmt::format(
      "scaling: a step in a feature is up to {:.3g} times that in another, by their curvature",
      *std::ranges::max_element(plan.scales)));
}

// A step of prox-sgd may leave the slowest workers out; prox-gd and fista need the share of each.
void check_synchronous(const Plan& plan) {
  const Settings& settings = plan.settings;
  const int W = settings.workers, m = settings.pushes_per_step;
  require(!plan.full_gradient() || m == W,
          fmt::format("pushes-per-step: {} needs one push a worker a step, {}",
                      settings.method.name(), W));
  require(!plan.synchronous() || m <= W,
          fmt::format("pushes-per-step: {} has at most one push a worker a step, {}",
                      settings.method.name(), W));
}

// Given delays are the bound, and what steps have to reckon with.
void take_delays(const Options& options, Plan& plan) {
  Settings& settings = plan.settings;
  const std::int64_t T = options.delays->max();
  require(!plan.synchronous(),
          fmt::format("delays: expected an asynchronous method, got {}", settings.method.name()));
  require(settings.runtime == Runtime::serial,
          fmt::format("delays: only the runtime serial can follow given ones, got {}",
                      name(settings.runtime)));
  require(options.state != StateChoice::lazy,
          "delays: old models are kept whole, so the model cannot be lazy");
  require(options.staleness_max.value_or(T) == T,
          fmt::format("staleness-max: the given delays go up to {}, so it can only be that, got {}",
                      T, options.staleness_max.value_or(T)));
  settings.delays = options.delays->name();
  settings.staleness_max = T;
  plan.context.staleness = T;
}

void choose_workers(const Options& options, int workers, Plan& plan) {
  Settings& settings = plan.settings;
  require_at_least("workers", 0, options.workers);
  settings.workers = workers;
  settings.pushes_per_step = options.pushes_per_step.value_or(settings.workers);
  require_at_least("pushes-per-step", 1, settings.pushes_per_step);
  const bool synchronous = plan.synchronous();
  check_synchronous(plan);
  if (plan.backup_workers()) settings.staleness_policy = StalenessPolicy::recompute;

  require(!pipelined(options) || !synchronous,
          fmt::format("pipelined: {} has one push a worker a step", settings.method.name()));
  plan.slots = settings.workers * (pipelined(options) ? 2 : 1);
  if (options.delays) return take_delays(options, plan);
  const std::int64_t expected = expected_staleness(plan.slots, settings.pushes_per_step);
  const std::int64_t usual = synchronous ? 0 : std::max<std::int64_t>(4, expected + 1);
  settings.staleness_max = options.staleness_max.value_or(usual);
  require_at_least("staleness-max", 0, settings.staleness_max);
  plan.context.staleness = std::min(expected, settings.staleness_max);
  require(!synchronous || settings.staleness_max == 0,
          fmt::format("staleness-max: {} has no staleness, so it can only be 0",
                      settings.method.name()));
  const std::int64_t idle_below = (plan.slots - 1) / settings.pushes_per_step;
  if (!synchronous && settings.staleness_max < idle_below &&
      options.staleness_policy == StalenessPolicy::hold)
    plan.warnings.push_back(
        fmt::format("a staleness bound of {} keeps some of {} workers idle for ever; {} would not",
                    settings.staleness_max, settings.workers, idle_below));
}

void fill_context(const Problem& problem, const Options& options, Plan& plan) {
  const Smoothness& smoothness = plan.scaled_smoothness;
  StepContext& context = plan.context;
  context.num_samples = static_cast<std::int64_t>(problem.f.num_samples());
  context.batch_size = plan.settings.batch_size;
  context.full_gradient = plan.full_gradient();
  context.judged = plan.bold;
  context.steps_per_epoch =
      plan.grows() ? plan.pushes_per_pass / (plan.settings.pushes_per_step * plan.epochs_per_pass)
                   : static_cast<double>(context.num_samples) /
                         (plan.traits().cost * static_cast<double>(context.batch_size));
  // Data without a nonzero has L = 0, and any step does.
  if (!std::isfinite(smoothness.sample_max) || !std::isfinite(smoothness.sample_mean))
    throw DataError("the data's values are so large that their squares overflow; scale them");
  const auto or_one = [](double value) { return value > 0 ? value : 1; };
  if (smoothness.estimate) {
    context.lipschitz = or_one(*smoothness.estimate);
    context.lipschitz_sample_max = or_one(plan.sample_lipschitz_max());
  }
  if (plan.smoothness.bound) context.lipschitz_bound = or_one(*plan.smoothness.bound);
  context.staleness_max = plan.settings.staleness_max;
  context.horizon = Stopping(plan.settings.stop, stopping_context(problem, plan)).steps_max();
  plan.reference_step = options.reference_step.value_or(
      plan.smoothness.estimate ? 1 / or_one(*plan.smoothness.estimate) : 1);
  require(plan.reference_step > 0 && std::isfinite(plan.reference_step),
          fmt::format("reference-step: expected a number above 0, got {}", plan.reference_step));
  if (options.rows_as_read && plan.smoothness.sample_max > kUneven * plan.smoothness.sample_mean)
    plan.warnings.emplace_back(
        "a few rows are far longer than the others; if they are texts or counts, --normalize rows "
        "gives each the same influence");
}

// What the step `theory` is made of. A pass or two over the data.
void choose_corollary(const Problem& problem, const Options& options, Plan& plan) {
  Corollary corollary = {.gap_reason = "given", .variance_reason = "given"};
  StepContext& context = plan.context;
  if (options.step.asks_about_start()) {
    const Vector x0 = make_start(problem, options, plan.settings.start);
    // A step that uses every sample has no noise.
    if (!plan.full_gradient()) context.variance = std::max(0.0, gradient_variance(problem.f, x0));
    if (const auto bound = lower_bound(problem, plan.smoothness.bound)) {
      context.gap = std::max(0.0, objective(problem, x0).total() - bound->value);
      corollary.gap_reason = bound->reason;
    }
  }
  const std::optional<CorollaryTerms> terms = options.step.corollary(context);
  if (!terms || plan.full_gradient()) return;
  corollary.terms = *terms;
  if (terms->gap != context.gap) corollary.gap_reason = "given";
  if (terms->variance == context.variance)
    corollary.variance_reason = "its value at x_0, which need not be a bound";
  corollary.step = options.step.eta(context);
  corollary.steps_least = corollary_steps_least(*terms);
  corollary.steps_enough =
      context.horizon && static_cast<double>(*context.horizon) >= corollary.steps_least;
  plan.corollary = corollary;
}

// The coordinates that a step writes, about.
double touched(const Problem& problem, const Settings& settings) {
  const auto d = static_cast<double>(problem.f.dimension());
  if (settings.state == StateChoice::dense) return d;
  return std::min(d, static_cast<double>(settings.batch_size) * problem.f.mean_keys());
}

void choose_pace(const Options& options, Settings& settings) {
  if (options.pace) require_speed("pace", *options.pace);
  for (const double speed : options.speeds) require_speed("speeds", speed);
  require(!options.pace || settings.runtime == Runtime::threads,
          "pace: only workers with a thread of their own can take their time");
  require(options.speeds.empty() || options.pace || settings.runtime == Runtime::simulated,
          "speeds: workers differ where they are paced or simulated, and nowhere else");
  require(options.speeds.size() <= static_cast<std::size_t>(settings.workers),
          fmt::format("speeds: expected at most {}, one a worker, got {}", settings.workers,
                      options.speeds.size()));
  settings.pace = options.pace;
  settings.speeds = options.speeds;
}

void check_recording(const Options& options, const Plan& plan) {
  const Settings& settings = plan.settings;
  require(!options.on_events || plan.slots <= kRecordedWorkersMax,
          fmt::format("workers: a run of more than {}, pipelined half as many, cannot be recorded",
                      kRecordedWorkersMax));
  const bool replayable = settings.cluster.fused && !settings.cluster.faults.of_messages();
  require(!options.on_events || settings.runtime != Runtime::simulated || replayable,
          "a simulated run with faults of messages, or with a pull apart from the push, cannot be "
          "recorded; it is the same whenever it is run");
  require(options.absences.empty() || settings.runtime == Runtime::threads,
          "absences: only workers with a thread of their own can go away");
}

}  // namespace

Plan make_plan(const Problem& problem, const Options& options) {
  Plan plan;
  Settings& settings = plan.settings;
  choose_method(problem, options, plan);
  settings.step = options.step.name();
  check_limits(options.stop);
  choose_fallback(problem, options, plan);
  settings.stop = chosen_stop(options, plan);
  settings.staleness_policy = options.staleness_policy;
  settings.runtime = options.runtime;
  settings.pin = options.pin;
  settings.seed = options.seed;
  settings.start = options.start;
  const std::size_t n = problem.f.num_samples();
  choose_workers(options, workers_of(problem, options), plan);
  choose_pace(options, settings);
  const bool shares_out = plan.full_gradient() || plan.traits().owns_samples;
  require(
      !shares_out || static_cast<std::size_t>(plan.slots) <= n,
      fmt::format("workers: {} shares the {} samples out, so expected at most that many, got {}",
                  settings.method.name(), n, settings.workers));
  require(!options.trace_every || *options.trace_every >= 1, "trace-every: expected at least 1");
  if (settings.runtime == Runtime::simulated) {
    check_cluster(options.cluster, settings.workers);
    settings.cluster = options.cluster;
  }
  plan.smoothness = plan.scaled_smoothness = measured(problem, plan, {});
  choose_newton(problem, options, plan);
  choose_scales(problem, options, plan);
  choose_balance(options, plan);
  settings.state = chosen_state(problem, options, plan);
  choose_batch(problem, options, plan);
  choose_shares(options, plan);
  choose_sampling(problem, options, plan);
  choose_passes(problem, options, plan);
  choose_support_weights(problem, plan);
  fill_context(problem, options, plan);
  plan.steps_outside_lock =
      settings.runtime == Runtime::threads && touched(problem, settings) >= kStepsOutsideLock;
  check_recording(options, plan);
  choose_corollary(problem, options, plan);
  options.step.eta(plan.context);  // a step that cannot be had is found now
  return plan;
}

StoppingContext stopping_context(const Problem& problem, const Plan& plan) {
  return {.steps_per_epoch = plan.context.steps_per_epoch,
          .epochs_first = plan.epochs_first(),
          .convex = problem.f.convex(),
          .nonnegative = problem.f.nonnegative(),
          .falls_back = plan.settings.fallback};
}

Vector make_start(const Problem& problem, const Options& options, Start start) {
  const std::size_t d = problem.f.dimension() - problem.f.num_free();
  const double unit = d > 0 ? 1 / std::sqrt(static_cast<double>(d)) : 0;
  Vector x = options.x0.value_or(Vector(d, start == Start::uniform ? unit : 0));
  if (start == Start::automatic && !options.x0)
    x = problem.f.start(options.seed).value_or(std::move(x));
  if (x.size() == d) x.resize(problem.f.dimension(), 0);  // intercepts begin at 0
  require(x.size() == problem.f.dimension(),
          fmt::format("start: expected {} numbers, got {}", d, x.size()));
  require(all_finite(x), "start: every number must be finite");
  if (start == Start::random && !options.x0) {
    const Random random = Random(options.seed).stream(0x5747415254);
    for (std::size_t j = 0; j < d; ++j) x[j] = unit * (2 * random.uniform_at(j) - 1);
  }
  if (!std::isfinite(problem.h.value(x))) problem.h.prox(x, 1);
  return x;
}

}  // namespace asynprox
