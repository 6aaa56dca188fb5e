#include "asynprox/run/run.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "asynprox/base/errors.h"
#include "asynprox/run/assembly.h"
#include "asynprox/run/outcome.h"
#include "asynprox/run/plan_steps.h"
#include "asynprox/runtimes/monitor.h"
#include "asynprox/runtimes/serial.h"
#include "asynprox/runtimes/threads.h"
#include "asynprox/simulator/calibration.h"
#include "asynprox/simulator/simulation.h"

namespace asynprox {
namespace {

std::optional<GivenDelays> given_delays(const Plan& plan) {
  if (!plan.execution.delays) return std::nullopt;
  return GivenDelays{.delay = *plan.execution.delays,
                     .pushes_per_step = plan.workers.pushes_per_step,
                     .random = Random(plan.seed).stream(0x44454c415953)};
}

// The cluster becomes no faster than this machine.
void calibrate(const Problem& problem, const PlanVectors& vectors, Vector x0, Plan& plan) {
  std::vector<Worker> workers = make_workers(problem, plan, vectors, /*count=*/1);
  const std::optional<Costs> costs =
      measure_costs(make_state(problem, plan, vectors, std::move(x0)), workers.front(),
                    plan.workers.pushes_per_step, plan.batch.size);
  if (!costs) return;  // the run itself will say what is wrong
  Cluster& cluster = plan.execution.cluster;
  cluster.compute.limit_rate(costs->samples_per_second);
  cluster.push_seconds = std::max(cluster.push_seconds, costs->push_seconds);
  cluster.step_seconds = std::max(cluster.step_seconds, costs->step_seconds);
}

Planned planned_for(const Problem& problem, const Options& options) {
  Planned planned = make_plan(problem, options);
  if (options.calibrate && runtime_of(options) == Runtime::simulated)
    calibrate(problem, planned.vectors,
              make_start(problem, planned.plan.start, planned.plan.seed, options.x0), planned.plan);
  return planned;
}

}  // namespace

Run::Run(const Problem& problem, const Options& options)
    : Run(problem, planned_for(problem, options), options.x0, hooks_of(options)) {}

Run::Run(const Problem& problem, const Plan& plan, const std::optional<Vector>& given_start,
         RunHooks hooks)
    : Run(problem, {plan, vectors_of(problem, plan, given_start)}, given_start, std::move(hooks)) {}

Run::Run(Problem problem, Planned planned, const std::optional<Vector>& given_start, RunHooks hooks)
    : problem_(std::move(problem)),
      plan_(std::move(planned.plan)),
      vectors_(std::move(planned.vectors)),
      given_start_(given_start),
      hooks_(std::move(hooks)),
      recorder_(hooks_.on_events),
      server_(make_server(problem_, plan_, vectors_,
                          make_start(problem_, plan_.start, plan_.seed, given_start),
                          hooks_.on_events != nullptr)),
      // A simulated run is interrupted between its events.
      workers_(
          make_workers(problem_, plan_, vectors_, plan_.workers.slots,
                       plan_.execution.runtime == Runtime::simulated ? nullptr : hooks_.interrupt)),
      run_options_{.steps_outside_lock = plan_.execution.steps_outside_lock,
                   .pin_threads = plan_.execution.pin,
                   .absences = plan_.execution.absences,
                   .pace = plan_.execution.pace,
                   .speeds = plan_.execution.speeds,
                   .delays = given_delays(plan_)} {
  if (hooks_.on_start) hooks_.on_start(plan_);
}

Result Run::solve() && {
  MonitorOptions watched = watched_options(problem_, plan_, vectors_, hooks_);
  watched.checkpoints = hooks_.checkpoints;
  return carry_out(std::move(watched));
}

Result Run::resume(const RunState& state, const std::optional<StoppingRules>& stop_before) && {
  MonitorOptions watched = watched_options(problem_, plan_, vectors_, hooks_);
  watched.checkpoints = hooks_.checkpoints;
  watched.stop_before = stop_before;
  run_options_.resumed = &state;
  return carry_out(std::move(watched));
}

Result Run::carry_out(MonitorOptions watched) {
  VirtualClock clock;
  if (plan_.execution.runtime == Runtime::simulated) watched.virtual_seconds = &clock.seconds;
  Monitor monitor(problem_, recorder_, watched);
  std::optional<SimulationReport> simulation;
  switch (plan_.execution.runtime) {
    case Runtime::serial: run_serial(server_, workers_, monitor, recorder_, run_options_); break;
    case Runtime::threads: run_threads(server_, workers_, monitor, recorder_, run_options_); break;
    case Runtime::cluster:
    case Runtime::loopback:
    case Runtime::mpi: throw ContractError("runtime: messages of workers come to a ServedRun");
    case Runtime::simulated:
      simulation = run_simulation(server_, workers_, monitor, recorder_, plan_.execution.cluster,
                                  plan_.execution.speeds, plan_.seed, clock, run_options_.resumed);
      break;
  }
  Result result = result_of(problem_, plan_, server_, monitor);
  result.simulation = simulation;
  return result;
}

ReplayedLeg Run::replay_leg(const EventSource& next_event, const std::optional<RunState>& state,
                            const std::optional<StoppingRules>& stop_before, Result& result) {
  MonitorOptions watched = monitor_options(problem_, plan_, vectors_, hooks_);
  watched.stop_before = stop_before;
  run_options_.resumed = state ? &*state : nullptr;
  Monitor monitor(problem_, recorder_, watched);
  ReplayedLeg leg = run_replay(server_, workers_, monitor, next_event, run_options_);
  if (!leg.seam) result = result_of(problem_, plan_, server_, monitor);
  return leg;
}

Replayed Run::replay(const EventSource& next_event,
                     const std::vector<StoppingRules>& stops_before) && {
  Replayed replayed;
  ReplayedLeg leg;
  for (std::size_t seams = 0;; ++seams) {
    // The same problem and plan, with the limits of that leg.
    Plan plan = plan_;
    if (seams < stops_before.size()) plan.stop = stops_before[seams];
    std::optional<StoppingRules> before;
    if (seams > 0 && seams <= stops_before.size()) before = stops_before[seams - 1];
    const std::optional<RunState> state = std::exchange(leg.seam, std::nullopt);
    const bool as_made = seams == 0 && stops_before.empty();
    std::unique_ptr<Run> run;
    if (!as_made) run.reset(new Run(problem_, {plan, vectors_}, given_start_, hooks_));
    leg = (run ? *run : *this).replay_leg(next_event, state, before, replayed.result);
    replayed.comparison.pushes += leg.comparison.pushes;
    replayed.comparison.models += leg.comparison.models;
    replayed.comparison.difference = leg.comparison.difference;
    if (!leg.seam) return replayed;
  }
}

}  // namespace asynprox
