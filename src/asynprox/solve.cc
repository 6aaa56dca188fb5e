#include "asynprox/solve.h"

#include "asynprox/base/errors.h"
#include "asynprox/checkpoints.h"
#include "asynprox/problem/problem.h"
#include "asynprox/run/linear_model.h"
#include "asynprox/run/run.h"
#include "asynprox/run_record.h"
#include "asynprox/transports/loopback.h"

namespace asynprox {

Result solve(const AnyFiniteSum& f, const AnyRegularizer& h, const Options& options) {
  const Runtime runtime = runtime_of(options);
  require(runtime != Runtime::mpi,
          "runtime: mpi is of the program asynprox-mpi, whose ranks mpirun starts "
          "(docs/cluster.md); expected threads, serial or loopback");
  if (runtime == Runtime::loopback) return run_loopback(make_problem(f, h), options);
  return Run(make_problem(f, h), options).solve();
}

Result solve(const Dataset& data, const AnyLoss& loss, const AnyRegularizer& h,
             const Options& options) {
  return naming<DataError>(data.name, [&] {
    const ShiftedModel model = shifted_model(data, loss, options.intercept);
    Options started = with_start(options, data, loss);
    started.x0 = model.start(std::move(started.x0));
    return model.result(solve(model.f, h, started));
  });
}

Vector gradient_at_zero(const Dataset& data, const AnyLoss& loss, const Options& options) {
  return naming<DataError>(data.name, [&] {
    const LinearSum f = shifted_model(data, loss, options.intercept).f;
    Vector gradient;
    const Vector zeros(f.dimension(), 0);
    const std::optional<Vector> best = f.best_intercept(zeros);
    if (f.num_free() > 0 && !best)
      throw DataError(
          "labels: the best constant model cannot be told from its neighbours, so that no largest "
          "strength is known; take their mean off the labels");
    value_and_gradient(f, best.value_or(zeros), gradient);
    gradient.resize(f.dimension() - f.num_free());
    return gradient;
  });
}

Replayed replay(const AnyFiniteSum& f, const AnyRegularizer& h, const Plan& plan,
                const EventSource& next_event, const ReplayOptions& options) {
  // A replay compares hashes, which a run keeps only if it is recorded.
  const RunHooks hooks = {.on_evaluation = options.on_evaluation,
                          .on_events = [](std::span<const Event>) {}};
  // What is wrong with a plan was not chosen by the caller.
  return naming<ContractError>("plan", [&] {
    return Run(make_problem(f, h), plan, options.x0, hooks)
        .replay(next_event, options.stops_before);
  });
}

Result resume(const AnyFiniteSum& f, const AnyRegularizer& h, const Plan& plan,
              const RunState& state, const ResumeOptions& options) {
  return Run(make_problem(f, h), plan, options.x0, options.hooks)
      .resume(state, options.stop_before);
}

Result resume(const Dataset& data, const AnyLoss& loss, const AnyRegularizer& h, const Plan& plan,
              const RunState& state, const ResumeOptions& options) {
  return naming<DataError>(data.name, [&] {
    const ShiftedModel model = shifted_model(data, loss, plan.problem.intercepts > 0);
    ResumeOptions started = options;
    started.x0 = model.start(options.x0);
    return model.result(resume(model.f, h, plan, state, started));
  });
}

Replayed replay(const Dataset& data, const AnyLoss& loss, const AnyRegularizer& h, const Plan& plan,
                const EventSource& next_event, const ReplayOptions& options) {
  return naming<DataError>(data.name, [&] {
    const ShiftedModel model = shifted_model(data, loss, plan.problem.intercepts > 0);
    ReplayOptions started = options;
    started.x0 = model.start(options.x0);
    Replayed replayed = replay(model.f, h, plan, next_event, started);
    replayed.result = model.result(std::move(replayed.result));
    return replayed;
  });
}

}  // namespace asynprox
