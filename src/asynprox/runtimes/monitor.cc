#include "asynprox/runtimes/monitor.h"

#include <algorithm>
#include <cmath>

#include "asynprox/problem/duality_gap.h"

namespace asynprox {
namespace {

constexpr double kHorizonShare = 0.05;
constexpr std::chrono::milliseconds kProgressInterval(200);

double seconds_between(std::chrono::steady_clock::time_point from,
                       std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

Monitor::Monitor(const Problem& problem, Recorder& recorder, MonitorOptions options)
    : problem_(problem),
      recorder_(recorder),
      options_(std::move(options)),
      shares_(options_.evaluation_shares) {
  if (!options_.search) return;
  search_.emplace(problem);
  outputs_.resize(problem.f.num_samples() * problem.f.outputs());
  scalars_.resize(outputs_.size());
}

double Monitor::seconds() const {
  if (options_.virtual_seconds) return *options_.virtual_seconds;
  const Clock::time_point now = evaluation_start_ ? *evaluation_start_ : Clock::now();
  return seconds_between(start_, now) - evaluation_seconds_;
}

std::uint64_t Monitor::nanoseconds() const {
  if (options_.virtual_seconds) return static_cast<std::uint64_t>(1e9 * *options_.virtual_seconds);
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - start_).count();
}

std::optional<double> Monitor::seconds_to_limit() const {
  if (!options_.seconds_max) return std::nullopt;
  return *options_.seconds_max - seconds();
}

void Monitor::watch(Server& server, Replies& replies) {
  watch_limits(server, replies);
  if (!server.stopped() && server.evaluation_due()) {
    const Evaluation& evaluation = evaluate(server);  // before better(): it finds that
    server.evaluated(evaluation, replies, better());
  }
  if (!options_.on_progress || Clock::now() < progress_next_) return;
  progress_next_ = Clock::now() + kProgressInterval;
  tell(progress(server));
}

void Monitor::watch_limits(Server& server, Replies& replies) {
  if (server.stopped()) return;
  if (options_.interrupt && options_.interrupt->load(std::memory_order_relaxed))
    return server.stop(StopReason::interrupted, replies);
  if (!options_.seconds_max) return;
  const double now = seconds();
  if (now >= *options_.seconds_max) return server.stop(StopReason::time_limit, replies);
  const bool estimate = options_.estimate_horizon && !horizon_estimated_ && server.version() > 0;
  if (!estimate || now < kHorizonShare * *options_.seconds_max) return;
  horizon_estimated_ = true;
  const double steps = static_cast<double>(server.version()) * *options_.seconds_max / now;
  Event event;
  event.nanoseconds = nanoseconds();
  event.kind = EventKind::horizon;
  event.horizon = {.steps = static_cast<std::uint64_t>(steps) + 1,
                   .server_version = static_cast<std::uint64_t>(server.version())};
  recorder_.add(event);
  server.set_horizon(static_cast<std::int64_t>(event.horizon.steps));
}

Progress Monitor::progress(const Server& server) const {
  Progress progress;
  progress.seconds = seconds();
  progress.steps = server.version();
  progress.sample_gradients = server.sample_gradients();
  progress.epochs = static_cast<double>(progress.sample_gradients) /
                    static_cast<double>(problem_.f.num_samples());
  if (!trace_.empty()) progress.objective = trace_.back().objective;
  if (!trace_.empty()) progress.nonzeros = trace_.back().nonzeros;
  progress.staleness_mean = server.staleness().mean();
  progress.staleness_max = server.staleness().max;
  if (progress.seconds > 0)
    progress.sample_gradients_per_second =
        static_cast<double>(progress.sample_gradients) / progress.seconds;
  if (options_.seconds_max) progress.seconds_left = *options_.seconds_max - progress.seconds;
  const auto tell_limit = [&](double done, double limit) {
    if (!(done > 0)) return;
    const double left = std::max(0.0, limit - done) * progress.seconds / done;
    progress.seconds_left = std::min(left, progress.seconds_left.value_or(left));
  };
  const StoppingRules& rules = server.stopping().rules();
  if (rules.epochs) tell_limit(progress.epochs, *rules.epochs);
  if (rules.steps)
    tell_limit(static_cast<double>(progress.steps), static_cast<double>(*rules.steps));
  return progress;
}

void Monitor::tell(const Progress& progress) {
  if (!options_.on_progress) return;
  const std::lock_guard lock(telling_);
  options_.on_progress(progress);
}

void Monitor::begin_evaluation(const Server& server) {
  now_ = {};
  now_.seconds = seconds();
  evaluation_start_ = Clock::now();
  now_.steps = server.version();
  now_.sample_gradients = server.sample_gradients();
  now_.staleness_max = server.staleness().max;
}

void Monitor::read_model(const Server& server) { x_ = server.iterate(); }

void Monitor::evaluate_share(int share) {
  Share& sums = shares_[share];
  sums.value = value_and_gradient_sums(problem_.f, x_, share, num_shares(), sums.gradient, outputs_,
                                       scalars_);
}

void Monitor::finish_shares() {
  Vector& gradient = shares_.front().gradient;
  double total = shares_.front().value;
  for (std::size_t share = 1; share < shares_.size(); ++share) {
    total += shares_[share].value;
    add_scaled(gradient, 1, shares_[share].gradient);
  }
  const double n = static_cast<double>(problem_.f.num_samples());
  scale(gradient, 1 / n);
  now_.epochs = static_cast<double>(now_.sample_gradients) / n;
  now_.loss_value = loss_at_x_ = total / n;
  now_.regularizer_value = problem_.h.value(x_);
  now_.objective = now_.loss_value + now_.regularizer_value;
  now_.gradient_mapping = gradient_mapping_norm(problem_.h, x_, gradient, options_.reference_step);
  if (options_.own_step)
    now_.gradient_mapping_own = gradient_mapping_norm(problem_.h, x_, gradient, *options_.own_step);
  now_.nonzeros = count_coefficients(x_);
  if (search_) look_for_better();
  if (options_.certify && slow_enough())
    certify(now_);
  else
    now_.gap_skipped = options_.certify;
  if (!options_.on_evaluation) return;
  const std::lock_guard lock(telling_);
  options_.on_evaluation(now_);
}

bool Monitor::slow_enough() const {
  if (options_.certify_below == 0) return true;
  double lowest = std::numeric_limits<double>::infinity();
  for (const Evaluation& before : trace_) lowest = std::min(lowest, before.objective);
  return std::abs(lowest - now_.objective) <= options_.certify_below * std::abs(now_.objective);
}

void Monitor::look_for_better() {
  const Clock::time_point before = Clock::now();
  better_ = search_->search({x_, outputs_, scalars_, now_.objective});
  // It moves the model as a step does, so its time is the run's.
  search_seconds_ = seconds_between(before, Clock::now());
  if (!options_.virtual_seconds) now_.seconds += search_seconds_;
  if (!better_) return;
  now_.loss_value = better_->objective.loss;
  now_.regularizer_value = better_->objective.regularizer;
  now_.objective = better_->objective.total();
  now_.nonzeros = count_coefficients(better_->x);
}

const Evaluation& Monitor::end_evaluation(const Server& server) {
  // After a stop an evaluation changes nothing any more, whatever it found.
  if (!server.stopped()) record_hashes(EventKind::evaluated, server, x_);
  of_another_ = server.stopped() && better_;
  evaluation_seconds_ += seconds_between(*evaluation_start_, Clock::now()) - search_seconds_;
  search_seconds_ = 0;
  evaluation_start_.reset();
  return trace_.emplace_back(now_);
}

const Evaluation& Monitor::evaluate(const Server& server) {
  begin_evaluation(server);
  read_model(server);
  for (int share = 0; share < num_shares(); ++share) evaluate_share(share);
  finish_shares();
  return end_evaluation(server);
}

std::int64_t Monitor::count_coefficients(std::span<const double> x) const {
  const std::size_t coefficients = x.size() - problem_.f.num_free();
  return static_cast<std::int64_t>(count_nonzeros(x.first(coefficients)));
}

void Monitor::certify(Evaluation& evaluation) {
  const std::optional<double> dual = dual_value(problem_, x_, loss_at_x_, shares_.front().gradient);
  if (dual) dual_best_ = std::max(dual_best_.value_or(*dual), *dual);
  if (dual_best_ && std::isfinite(evaluation.objective))
    evaluation.duality_gap = std::max(0.0, evaluation.objective - *dual_best_);
}

void Monitor::record_hashes(EventKind kind, const Server& server, const Vector& x) {
  if (!recorder_.is_on()) return;
  Hash model;
  model.add(x);
  Event event;
  event.nanoseconds = nanoseconds();
  event.kind = kind;
  event.hashes = {.steps = server.steps_hash(), .model = model.value()};
  recorder_.add(event);
}

void Monitor::finish(const Server& server) {
  seconds_at_end_ = seconds();
  search_.reset();
  outputs_.clear();
  scalars_.clear();
  // Once more, for the gradient there; whom evaluations are told knows of it already.
  const bool was_here = !trace_.empty() && trace_.back().steps == server.version();
  if (was_here && (server.replaced() || of_another_)) {
    trace_.pop_back();
    options_.on_evaluation = nullptr;
  }
  if (trace_.empty() || trace_.back().steps != server.version()) evaluate(server);
  const Clock::time_point before = Clock::now();
  if (!trace_.back().duality_gap) certify(trace_.back());
  stationarity_gap_ = asynprox::stationarity_gap(problem_, x_, shares_.front().gradient);
  evaluation_seconds_ += seconds_between(before, Clock::now());
  Event event = message_event(EventKind::stopped, 0, 0);
  event.nanoseconds = nanoseconds();
  event.outcome = static_cast<std::uint8_t>(*server.stop_reason());
  event.message.server_version = static_cast<std::uint32_t>(server.version());
  recorder_.add(event);
  record_hashes(EventKind::end, server, server.iterate());
  recorder_.close();
}

}  // namespace asynprox
