#include "asynprox/solve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "asynprox/algorithm/server.h"
#include "asynprox/algorithm/worker.h"
#include "asynprox/base/errors.h"
#include "asynprox/data/labels.h"
#include "asynprox/plan.h"
#include "asynprox/problem/problem.h"
#include "asynprox/runtimes/monitor.h"
#include "asynprox/runtimes/replay.h"
#include "asynprox/runtimes/serial.h"
#include "asynprox/runtimes/threads.h"
#include "asynprox/simulator/calibration.h"
#include "asynprox/simulator/simulation.h"
#include "asynprox/theory.h"

namespace asynprox {
namespace {

// Stochastic steps that have not met the tolerance after so many epochs are slow: the fallback
// needs ten passes or more, so that a run costs at most five times what the fallback alone would
// have.
constexpr double kEpochsToFallback = 40;

// Columns that differ in size by more are named as the cause where the fallback cannot measure each
// in its own unit and does not converge.
constexpr double kColumnsApart = 100;

std::unique_ptr<ModelState> make_state(const Problem& problem, const Plan& plan, Vector x0) {
  if (plan.traits().accelerated) return make_fista_state(std::move(x0), problem.h);
  if (plan.support_weights)
    return make_support_state(x0, problem.h, plan.support_weights, plan.scales);
  if (plan.settings.state == StateChoice::lazy) return make_lazy_state(x0, problem.h);
  return make_dense_state(std::move(x0), problem.h, plan.scales);
}

Server make_server(const Problem& problem, const Options& options, const Plan& plan, Vector x0) {
  const Settings& settings = plan.settings;
  const Stopping stopping(settings.stop, stopping_context(problem, plan));
  const ServerOptions server_options = {
      .pushes_per_step = settings.pushes_per_step,
      .batch_size = settings.batch_size,
      .staleness_max = settings.staleness_max,
      .staleness_policy = settings.staleness_policy,
      .one_push_a_worker = plan.synchronous(),
      .stale_refusals_max = plan.backup_workers() ? std::numeric_limits<int>::max() : 2,
      .any_version = options.delays.has_value(),
      .hash_steps = options.on_events != nullptr,
      .bold = plan.bold,
      .falls_back = settings.fallback,
      .epochs_to_fallback = kEpochsToFallback,
      .pushes_per_pass = plan.pushes_per_pass,
      .pushes_max = plan.pushes_max,
      .deals_samples = plan.traits().owns_samples,
      .workers = plan.slots};
  const double steps_per_epoch = plan.context.steps_per_epoch;
  const EvaluationSchedule schedule =
      options.trace_every ? EvaluationSchedule::every(*options.trace_every)
      : plan.bold         ? EvaluationSchedule::often(steps_per_epoch, plan.first_evaluation)
                          : EvaluationSchedule::at_growing_epochs(steps_per_epoch);
  const ServerSetup setup = {.dimension = problem.f.dimension(),
                             .num_samples = static_cast<double>(problem.f.num_samples()),
                             .batch_size = static_cast<double>(settings.batch_size),
                             .horizon = plan.context.horizon,
                             .support_weights = plan.support_weights};
  return Server(make_state(problem, plan, std::move(x0)), options.step, plan.context,
                server_options, stopping, schedule, settings.method.server_part(setup));
}

std::vector<Worker> make_workers(const Problem& problem, const Plan& plan,
                                 const std::atomic<bool>* interrupt = nullptr) {
  const Settings& settings = plan.settings;
  WorkerOptions options = {.workers = plan.slots,
                           .seed = settings.seed,
                           .samples_per_push = settings.batch_size / settings.pushes_per_step,
                           .keyed = settings.state == StateChoice::lazy,
                           .interrupted = interrupt ? [interrupt] { return interrupt->load(); }
                                                    : std::function<bool()>(),
                           .sample_lipschitz = plan.sample_lipschitz};
  std::vector<Worker> workers;
  workers.reserve(plan.slots);
  for (options.worker = 0; options.worker < plan.slots; ++options.worker) {
    if (!plan.shares.empty()) options.samples_per_push = plan.shares[options.worker];
    workers.emplace_back(problem.f, settings.method, plan.sampling, options);
  }
  return workers;
}

std::optional<GivenDelays> given_delays(const Options& options, const Settings& settings) {
  if (!options.delays) return std::nullopt;
  return GivenDelays{.delay = *options.delays,
                     .pushes_per_step = settings.pushes_per_step,
                     .random = Random(settings.seed).stream(0x44454c415953)};
}

// Of the step `theory`, which is constant where K is known.
std::optional<double> own_step(const Plan& plan) {
  if (!plan.corollary || !plan.context.horizon) return std::nullopt;
  return plan.corollary->step;
}

// A start is no answer, unless a bound or its gradient says so or no step was asked for.
bool found_nothing(const Plan& plan, StopReason reason, const Trace& trace) {
  if (reason == StopReason::converged || reason == StopReason::stationary ||
      reason == StopReason::interrupted)
    return false;
  const StoppingRules& stop = plan.settings.stop;
  const bool none_asked_for = stop.steps == 0 || stop.epochs == 0.0 || stop.seconds == 0.0;
  const bool judged = plan.settings.fallback || (plan.bold && reason == StopReason::stalled);
  if (!judged || none_asked_for) return false;
  const Evaluation &first = trace.front(), &last = trace.back();
  const bool certified = last.duality_gap &&
                         *last.duality_gap <= stop.tolerance.value_or(0) * std::abs(last.objective);
  return !(last.objective < first.objective) && !certified && last.gradient_mapping > 0;
}

Result result_of(const Problem& problem, const Plan& plan, const Server& server,
                 const Monitor& monitor) {
  const Evaluation& last = monitor.trace().back();
  Result result;
  const std::size_t free = problem.f.num_free();
  result.x = server.iterate();
  result.intercept.assign(result.x.end() - static_cast<std::ptrdiff_t>(free), result.x.end());
  result.x.resize(result.x.size() - free);
  result.objective = last.objective;
  result.loss_value = last.loss_value;
  result.regularizer_value = last.regularizer_value;
  result.gradient_mapping = last.gradient_mapping;
  result.reference_step = plan.reference_step;
  result.duality_gap = last.duality_gap;
  result.stationarity_gap = monitor.stationarity_gap();
  result.nonzeros = last.nonzeros;
  result.outputs = problem.f.outputs();
  result.dimension = result.x.size() / result.outputs;
  result.samples = problem.f.num_samples();
  result.steps = server.version();
  result.sample_gradients = server.sample_gradients() + monitor.samples_searched();
  result.computed = server.sample_gradients_received() + monitor.samples_searched();
  result.epochs = last.epochs;
  result.seconds = monitor.seconds_at_end();
  result.evaluation_seconds = monitor.evaluation_seconds();
  result.fell_back = server.fallen_back();
  result.fallback_passes = last.fallback_passes;
  result.stop_reason = *server.stop_reason();
  result.found_nothing = found_nothing(plan, result.stop_reason, monitor.trace());
  if (result.found_nothing && result.stop_reason == StopReason::stalled)
    result.stop_reason = StopReason::diverged;
  result.stop_detail = server.stopping().detail(result.stop_reason, last);
  if (result.stop_reason == StopReason::diverged && plan.settings.step != AutoStep::name)
    result.stop_detail += "; try a smaller step";
  result.staleness_bound = plan.settings.staleness_max;
  result.staleness = server.staleness();
  result.pushes_per_step = server.pushes_per_step();
  result.ledger = server.ledger();
  result.trace = monitor.trace();
  result.settings = plan.settings;
  result.choices = plan.choices;
  result.warnings = plan.warnings;
  if (monitor.columns_apart() > kColumnsApart && result.stop_reason != StopReason::converged &&
      result.stop_reason != StopReason::stationary)
    result.warnings.push_back(fmt::format(
        "{} couples the columns, which differ in size by a factor of {:.0e}: that takes very many "
        "passes; --standardize columns makes it fast",
        problem.h.name(), monitor.columns_apart()));
  return result;
}

// The cluster becomes no faster than this machine.
void calibrate(const Problem& problem, Plan& plan, Vector x0) {
  Plan one_worker = plan;
  one_worker.slots = 1;
  std::vector<Worker> workers = make_workers(problem, one_worker);
  const Settings& settings = plan.settings;
  const std::optional<Costs> costs =
      measure_costs(make_state(problem, plan, std::move(x0)), workers.front(),
                    settings.pushes_per_step, settings.batch_size);
  if (!costs) return;  // the run itself will say what is wrong
  Cluster& cluster = plan.settings.cluster;
  cluster.compute.limit_rate(costs->samples_per_second);
  cluster.push_seconds = std::max(cluster.push_seconds, costs->push_seconds);
  cluster.step_seconds = std::max(cluster.step_seconds, costs->step_seconds);
}

// Messages of a lazy model are as long as the keys of their samples, in virtual time too.
bool delays_from_timing(const Settings& settings) {
  return settings.runtime == Runtime::threads ||
         (settings.runtime == Runtime::simulated && settings.state == StateChoice::lazy);
}

Theory theory_of(const Options& options, const Plan& plan, const Result& result,
                 double step_size_max) {
  const Settings& settings = plan.settings;
  Theory theory = check_theory({.lipschitz = plan.smoothness.bound,
                                .lipschitz_reason = plan.smoothness.bound_reason,
                                .method = settings.method,
                                .step_size_max = step_size_max,
                                .staleness_max = settings.staleness_max,
                                .draws_with_replacement = settings.sampling == Replacement::name,
                                .step_looks_at_delays = options.step.looks_at_delays(),
                                .delays_from_timing = delays_from_timing(settings)});
  theory.corollary = plan.corollary;
  if (!own_step(plan) || result.steps == 0) return theory;
  theory.ergodic_bound =
      ergodic_bound(plan.corollary->terms, plan.corollary->step, static_cast<double>(result.steps));
  theory.ergodic_bound->measured = ergodic_average(result.trace);
  theory.ergodic_bound->evaluations = static_cast<std::int64_t>(result.trace.size());
  return theory;
}

// All that takes part in a run, made and ready.
class Run {
 public:
  Run(const AnyFiniteSum& f, const AnyRegularizer& h, const Options& options)
      : problem_(make_problem(f, h)),
        plan_(make_plan(problem_, options)),
        recorder_(options.on_events),
        server_(make_server(problem_, options, plan_, start(options))),
        workers_(make_workers(
            problem_, plan_,
            plan_.settings.runtime == Runtime::simulated ? nullptr : options.interrupt)),
        run_options_{.steps_outside_lock = plan_.steps_outside_lock,
                     .pin_threads = plan_.settings.pin,
                     .absences = options.absences,
                     .pace = options.pace,
                     .speeds = options.speeds,
                     .delays = given_delays(options, plan_.settings)} {
    plan_.settings.stop = server_.stopping().rules();
    if (options.calibrate && plan_.settings.runtime == Runtime::simulated)
      calibrate(problem_, plan_, start(options));
    if (options.on_start) options.on_start(plan_.settings);
  }

  Result solve(const Options& options) {
    const StoppingRules& stop = plan_.settings.stop;
    MonitorOptions watched = monitor_options(options);
    watched.seconds_max = stop.seconds;
    watched.estimate_horizon = stop.seconds && !stop.steps && !stop.epochs;
    watched.on_progress = options.on_progress;
    VirtualClock clock;
    if (plan_.settings.runtime == Runtime::simulated) watched.virtual_seconds = &clock.seconds;
    Monitor monitor(problem_, recorder_, watched);
    std::optional<SimulationReport> simulation;
    switch (plan_.settings.runtime) {
      case Runtime::serial: run_serial(server_, workers_, monitor, recorder_, run_options_); break;
      case Runtime::threads:
        run_threads(server_, workers_, monitor, recorder_, run_options_);
        break;
      case Runtime::simulated:
        simulation = run_simulation(server_, workers_, monitor, recorder_, plan_.settings.cluster,
                                    plan_.settings.speeds, plan_.settings.seed, clock);
        break;
    }
    Result made = result(options, monitor);
    made.simulation = simulation;
    return made;
  }

  Replayed replay(const Options& options, const EventSource& next_event) {
    MonitorOptions watched = monitor_options(options);
    watched.interrupt = nullptr;  // that is in the record
    Monitor monitor(problem_, recorder_, watched);
    Comparison comparison = run_replay(server_, workers_, monitor, next_event, run_options_);
    return {result(options, monitor), std::move(comparison)};
  }

 private:
  Vector start(const Options& options) {
    Start& start = plan_.settings.start;
    Vector x0 = make_start(problem_, options, start);
    if (start == Start::automatic && !problem_.f.has_start()) start = Start::zeros;
    return x0;
  }

  Result result(const Options& options, const Monitor& monitor) const {
    Result result = result_of(problem_, plan_, server_, monitor);
    result.theory = theory_of(options, plan_, result, server_.step_size_max());
    return result;
  }

  MonitorOptions monitor_options(const Options& options) const {
    return {
        .reference_step = plan_.reference_step,
        .own_step = own_step(plan_),
        .evaluation_shares = evaluation_shares(),
        .search = plan_.bold && problem_.f.has_outputs(),
        .newton = plan_.settings.newton,
        .column_curvatures = plan_.column_curvatures,
        .falls_back = plan_.settings.fallback,
        .certify = plan_.settings.stop.tolerance.has_value(),
        .certify_below = plan_.bold ? 10 * plan_.settings.stop.tolerance.value_or(0) : 0,
        .tolerance = plan_.settings.stop.tolerance.value_or(0),
        .epochs_max = plan_.settings.stop.epochs.value_or(std::numeric_limits<double>::infinity()),
        .steps_max = plan_.settings.stop.steps.value_or(std::numeric_limits<std::int64_t>::max()),
        .interrupt = options.interrupt,
        .on_evaluation = options.on_evaluation};
  }

  // One a worker, while their gradients together stay below 256 MB. On every runtime the same.
  int evaluation_shares() const {
    const std::size_t d = std::max<std::size_t>(1, problem_.f.dimension());
    const std::size_t shares_max = std::clamp<std::size_t>((std::size_t{1} << 25) / d, 1, 64);
    return std::min(plan_.settings.workers, static_cast<int>(shares_max));
  }

  Problem problem_;
  Plan plan_;
  Recorder recorder_;
  Server server_;
  std::vector<Worker> workers_;
  RunOptions run_options_;
};

bool rows_as_read(const Dataset& data) {
  const double mean = static_cast<double>(data.rows.num_nonzeros()) /
                      std::max(1.0, static_cast<double>(data.num_samples()));
  return data.weights.empty() && data.column_scale.empty() && data.center.empty() &&
         mean < 0.5 * static_cast<double>(data.dimension());
}

// A linear model is a finite sum with a usual start, of which the rows are known.
Options with_start(Options options, const Dataset& data, const AnyLoss& loss) {
  if (options.start == Start::automatic)
    options.start = loss.name() == "pca" ? Start::uniform : Start::zeros;
  options.rows_as_read = rows_as_read(data);
  return options;
}

LinearSum linear_sum(const Dataset& data, const AnyLoss& loss, const Options& options) {
  // Without labels nothing holds a constant back.
  require(!options.intercept || loss.labels() != Labels::none,
          std::string("intercept: ") + std::string(loss.name()) +
              " has none; centring takes the means off");
  LinearSumOptions shape = {.outputs = 1, .intercept = options.intercept};
  Vector labels;
  if (loss.labels() == Labels::signs) {
    labels = sign_labels(data.labels, std::nullopt).signs;
  } else if (loss.labels() == Labels::classes) {
    ClassLabels classes = class_labels(data.labels);
    shape.outputs = classes.classes.size();
    labels = std::move(classes.numbers);
  } else {
    labels = data.labels;
  }
  loss.check_labels(labels, shape.outputs);
  return LinearSum(data, std::move(labels), loss, shape);
}

// What is wrong with the data is said with its name.
template <class Work>
auto naming(const Dataset& data, Work work) {
  try {
    return work();
  } catch (const DataError& error) {
    throw DataError(data.name + ": " + error.what());
  }
}

// A replay compares hashes, which a run keeps only if it is recorded.
Options hashing(Options options) {
  options.on_events = [](std::span<const Event>) {};
  options.interrupt = nullptr;  // that is in the record
  return options;
}

}  // namespace

Result solve(const AnyFiniteSum& f, const AnyRegularizer& h, const Options& options) {
  return Run(f, h, options).solve(options);
}

Result solve(const Dataset& data, const AnyLoss& loss, const AnyRegularizer& h,
             const Options& options) {
  return naming(data, [&] {
    return solve(linear_sum(data, loss, options), h, with_start(options, data, loss));
  });
}

Vector gradient_at_zero(const Dataset& data, const AnyLoss& loss, const Options& options) {
  return naming(data, [&] {
    const LinearSum f = linear_sum(data, loss, options);
    Vector gradient;
    const Vector zeros(f.dimension(), 0);
    value_and_gradient(f, f.best_intercept(zeros).value_or(zeros), gradient);
    gradient.resize(f.dimension() - f.num_free());
    return gradient;
  });
}

Replayed replay(const AnyFiniteSum& f, const AnyRegularizer& h, const Options& options,
                const EventSource& next_event) {
  return Run(f, h, hashing(options)).replay(options, next_event);
}

Replayed replay(const Dataset& data, const AnyLoss& loss, const AnyRegularizer& h,
                const Options& options, const EventSource& next_event) {
  return naming(data, [&] {
    return replay(linear_sum(data, loss, options), h, with_start(options, data, loss), next_event);
  });
}

std::string_view name(Runtime runtime) {
  switch (runtime) {
    case Runtime::serial: return "serial";
    case Runtime::threads: return "threads";
    case Runtime::simulated: return "simulated";
  }
  return "";
}

std::string_view name(StateChoice state) {
  switch (state) {
    case StateChoice::automatic: return "auto";
    case StateChoice::dense: return "dense";
    case StateChoice::lazy: return "lazy";
  }
  return "";
}

std::string_view name(Start start) {
  switch (start) {
    case Start::automatic: return "auto";
    case Start::zeros: return "zeros";
    case Start::uniform: return "uniform";
    case Start::random: return "random";
  }
  return "";
}

std::string_view name(StalenessPolicy policy) {
  return policy == StalenessPolicy::hold ? "hold" : "recompute";
}

}  // namespace asynprox
