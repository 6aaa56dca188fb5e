#include "asynprox/solve.h"

#include <cmath>

#include "asynprox/algorithm/server.h"
#include "asynprox/algorithm/worker.h"
#include "asynprox/base/errors.h"
#include "asynprox/data/labels.h"
#include "asynprox/plan.h"
#include "asynprox/problem/problem.h"
#include "asynprox/runtimes/monitor.h"
#include "asynprox/runtimes/serial.h"
#include "asynprox/theory.h"

namespace asynprox {
namespace {

std::unique_ptr<ModelState> make_state(const Problem& problem, const Plan& plan, Vector x0) {
  if (plan.settings.method == Method::fista) return make_fista_state(std::move(x0), problem.h);
  if (plan.settings.state == StateChoice::lazy) return make_lazy_state(x0, problem.h);
  return make_dense_state(std::move(x0), problem.h);
}

Server make_server(const Problem& problem, const Options& options, const Plan& plan, Vector x0) {
  const Settings& settings = plan.settings;
  const Stopping stopping(options.stop, plan.context.steps_per_epoch);
  StepContext context = plan.context;
  context.horizon = stopping.steps_max();
  const ServerOptions server_options = {
      .pushes_per_step = settings.pushes_per_step,
      .batch_size = settings.batch_size,
      .staleness_max = settings.staleness_max,
      .staleness_policy = settings.staleness_policy,
      .one_push_a_worker = settings.method != Method::asyn_prox_sgd};
  const EvaluationSchedule schedule =
      options.trace_every ? EvaluationSchedule::every(*options.trace_every)
                          : EvaluationSchedule::at_growing_epochs(context.steps_per_epoch);
  return Server(make_state(problem, plan, std::move(x0)), options.step, context, server_options,
                stopping, schedule);
}

std::vector<Worker> make_workers(const Problem& problem, const Plan& plan) {
  const Settings& settings = plan.settings;
  SamplingOptions sampling = {.seed = settings.seed,
                              .samples_per_push = settings.batch_size / settings.pushes_per_step,
                              .num_samples = problem.f.num_samples(),
                              .whole_shard = plan.full_gradient(),
                              .num_shards = settings.workers};
  std::vector<Worker> workers;
  for (sampling.worker = 0; sampling.worker < settings.workers; ++sampling.worker)
    workers.emplace_back(problem.f, sampling, /*keyed=*/settings.state == StateChoice::lazy);
  return workers;
}

Result result_of(const Problem& problem, const Plan& plan, const Server& server,
                 const Monitor& monitor) {
  const Evaluation& last = monitor.trace().back();
  Result result;
  result.x = server.iterate();
  result.objective = last.objective;
  result.loss_value = last.loss_value;
  result.regularizer_value = last.regularizer_value;
  result.gradient_mapping = last.gradient_mapping;
  result.reference_step = plan.reference_step;
  result.nonzeros = last.nonzeros;
  result.dimension = problem.f.dimension();
  result.samples = problem.f.num_samples();
  result.steps = server.version();
  result.sample_gradients = server.sample_gradients();
  result.computed = server.sample_gradients_received();
  result.epochs = last.epochs;
  result.seconds = last.seconds;
  result.evaluation_seconds = monitor.evaluation_seconds();
  result.stop_reason = *server.stop_reason();
  result.stop_detail = server.stopping().detail(result.stop_reason);
  result.staleness_bound = plan.settings.staleness_max;
  result.staleness = server.staleness();
  result.ledger = server.ledger();
  result.theory = check_theory({.lipschitz = plan.smoothness.bound,
                                .lipschitz_reason = plan.smoothness.bound_reason,
                                .method = plan.settings.method,
                                .step_size_max = server.step_size_max(),
                                .staleness_max = plan.settings.staleness_max});
  result.trace = monitor.trace();
  result.settings = plan.settings;
  result.warnings = plan.warnings;
  return result;
}

}  // namespace

Result solve(const AnyFiniteSum& f, const AnyRegularizer& h, const Options& options) {
  const Problem problem = make_problem(f, h);
  Plan plan = make_plan(problem, options);
  if (plan.settings.start == Start::automatic) plan.settings.start = Start::zeros;
  Server server =
      make_server(problem, options, plan, make_start(problem, options, plan.settings.start));
  std::vector<Worker> workers = make_workers(problem, plan);
  const StoppingRules& stop = plan.settings.stop = server.stopping().rules();
  if (options.on_start) options.on_start(plan.settings);
  Monitor monitor(problem, {.reference_step = plan.reference_step,
                            .seconds_max = stop.seconds,
                            .estimate_horizon = stop.seconds && !stop.steps && !stop.epochs,
                            .interrupt = options.interrupt,
                            .on_evaluation = options.on_evaluation});
  run_serial(server, workers, monitor);
  return result_of(problem, plan, server, monitor);
}

Result solve(const Dataset& data, const AnyLoss& loss, const AnyRegularizer& h,
             const Options& options) {
  Options chosen = options;
  if (chosen.start == Start::automatic)
    chosen.start = loss.name() == "pca" ? Start::uniform : Start::zeros;
  Vector labels = data.labels;
  if (loss.labels() == Labels::signs) labels = sign_labels(data.labels, std::nullopt).signs;
  try {
    return solve(LinearSum(data, std::move(labels), loss), h, chosen);
  } catch (const DataError& error) {
    throw DataError(data.name + ": " + error.what());
  }
}

std::string_view name(Method method) {
  switch (method) {
    case Method::automatic: return "auto";
    case Method::asyn_prox_sgd: return "asyn-prox-sgd";
    case Method::prox_sgd: return "prox-sgd";
    case Method::prox_gd: return "prox-gd";
    case Method::fista: return "fista";
  }
  return "";
}

std::string_view meaning(Method method) {
  switch (method) {
    case Method::automatic: return "the best that applies; for now asyn-prox-sgd";
    case Method::asyn_prox_sgd: return "Algorithm 1 of the paper";
    case Method::prox_sgd: return "synchronous: every worker in every step";
    case Method::prox_gd: return "proximal gradient: every sample in every step";
    case Method::fista: return "proximal gradient, accelerated; convex losses";
  }
  return "";
}

std::string_view name(Runtime) { return "serial"; }

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
