#include "asynprox/runtimes/monitor.h"

namespace asynprox {
namespace {

constexpr double kHorizonShare = 0.05;

double seconds_between(std::chrono::steady_clock::time_point from,
                       std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

Monitor::Monitor(const Problem& problem, MonitorOptions options)
    : problem_(problem), options_(std::move(options)) {}

double Monitor::seconds() const {
  return seconds_between(start_, Clock::now()) - evaluation_seconds_;
}

void Monitor::watch(Server& server, Replies& replies) {
  // After a stop the last model is evaluated by finish().
  if (server.stopped()) return;
  if (options_.interrupt && options_.interrupt->load(std::memory_order_relaxed))
    return server.stop(StopReason::interrupted, replies);
  if (options_.seconds_max) watch_time(server, replies);
  if (server.evaluation_due() && !server.stopped()) server.evaluated(evaluate(server), replies);
}

void Monitor::watch_time(Server& server, Replies& replies) {
  const double now = seconds();
  if (now >= *options_.seconds_max) return server.stop(StopReason::time_limit, replies);
  const bool estimate = options_.estimate_horizon && !horizon_estimated_ && server.version() > 0;
  if (!estimate || now < kHorizonShare * *options_.seconds_max) return;
  horizon_estimated_ = true;
  const double steps = static_cast<double>(server.version()) * *options_.seconds_max / now;
  server.set_horizon(static_cast<std::int64_t>(steps) + 1);
}

const Evaluation& Monitor::evaluate(const Server& server) {
  const Clock::time_point start = Clock::now();
  Evaluation& now = trace_.emplace_back();
  now.seconds = seconds();
  const Vector x = server.iterate();
  now.steps = server.version();
  now.sample_gradients = server.sample_gradients();
  now.epochs =
      static_cast<double>(now.sample_gradients) / static_cast<double>(problem_.f.num_samples());
  now.loss_value = value_and_gradient(problem_.f, x, gradient_);
  now.regularizer_value = problem_.h.value(x);
  now.objective = now.loss_value + now.regularizer_value;
  now.gradient_mapping = gradient_mapping_norm(problem_.h, x, gradient_, options_.reference_step);
  now.nonzeros = static_cast<std::int64_t>(count_nonzeros(x));
  now.staleness_max = server.staleness().max;
  if (options_.on_evaluation) options_.on_evaluation(now);
  evaluation_seconds_ += seconds_between(start, Clock::now());
  return now;
}

void Monitor::finish(const Server& server) {
  if (trace_.empty() || trace_.back().steps != server.version()) evaluate(server);
}

}  // namespace asynprox
