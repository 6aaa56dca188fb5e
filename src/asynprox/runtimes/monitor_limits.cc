// Limits, progress and the end of a run.
#include <algorithm>
#include <utility>

#include "asynprox/runtimes/monitor.h"

namespace asynprox {
namespace {

constexpr double kHorizonShare = 0.05;
constexpr double kProgressSeconds = 0.2;

EvaluatorOptions evaluator_options(const MonitorOptions& options) {
  EvaluatorOptions evaluation = options.evaluation;
  evaluation.seconds_max = options.seconds_max;
  evaluation.virtual_time = options.virtual_seconds != nullptr;
  return evaluation;
}

}  // namespace

Monitor::Monitor(const Problem& problem, Recorder& recorder, MonitorOptions options)
    : problem_(problem),
      recorder_(recorder),
      options_(std::move(options)),
      clock_(options_.virtual_seconds),
      evaluator_(problem, evaluator_options(options_)),
      checkpoints_(options_.checkpoints) {}

double Monitor::stand_still() {
  clock_.stand_still();
  return clock_.seconds();
}

std::optional<double> Monitor::seconds_to_limit() const {
  if (!options_.seconds_max) return std::nullopt;
  return *options_.seconds_max - seconds();
}

void Monitor::watch(Server& server, Replies& replies) {
  Session session(server, evaluator_, *this, recorder_);
  watch(session, replies);
}

void Monitor::watch(Session& session, Replies& replies) {
  do_work(session, replies, /*up_to_checkpoint=*/false);
}

bool Monitor::watch_up_to_checkpoint(Session& session, Replies& replies) {
  return do_work(session, replies, /*up_to_checkpoint=*/true);
}

bool Monitor::do_work(Session& session, Replies& replies, bool up_to_checkpoint) {
  Server& server = session.server();
  for (bool any = false;; any = true) {
    // Not between a push and the step that it makes due: a record has nothing in between.
    if (up_to_checkpoint && any && session.at_rest() && !server.step_due() &&
        checkpoint_due(server))
      return false;
    // Where the run falls back, one evaluation follows another.
    if (server.evaluation_due() && !session.evaluating()) watch_limits(server, replies);
    const Work work = session.next_work(/*by=*/{}, replies);
    if (!work) break;
    session.perform(work);
    session.finished(work, replies);
  }
  watch_limits(server, replies);
  if (!options_.on_progress || elapsed() < progress_next_) return true;
  progress_next_ = elapsed() + kProgressSeconds;
  tell(progress(server));
  return true;
}

bool Monitor::wanted_to_end() const {
  return options_.interrupt && options_.interrupt->load(std::memory_order_relaxed);
}

bool Monitor::interrupted() const {
  if (!wanted_to_end()) return false;
  if (!checkpoints_.is_on()) return true;
  double not_yet = not_interrupted;
  interrupted_at_.compare_exchange_strong(not_yet, elapsed());
  return elapsed() - interrupted_at_ >= seconds_to_end;
}

void Monitor::watch_limits(Server& server, Replies& replies) {
  if (server.stopped()) return;
  if (!checkpoints_.is_on()) end_if_wanted(server, replies);
  if (server.stopped()) return;
  if (!options_.seconds_max) return;
  if (seconds() >= *options_.seconds_max) return server.stop(StopReason::time_limit, replies);
  if (options_.estimate_horizon && !horizon_estimated_) estimate_horizon(server);
}

void Monitor::estimate_horizon(Server& server) {
  const double now = seconds();
  if (server.version() == 0 || now < kHorizonShare * *options_.seconds_max) return;
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
  progress.sample_gradients = server.sample_gradients() + samples_searched();
  progress.epochs = static_cast<double>(progress.sample_gradients) /
                    static_cast<double>(problem_.f.num_samples());
  progress.has_objective = problem_.f.has_value();
  if (!trace().empty()) progress.objective = trace().back().objective;
  if (!trace().empty()) progress.nonzeros = trace().back().nonzeros;
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

void Monitor::tell(const Evaluation& evaluation) const {
  if (!options_.on_evaluation) return;
  const std::lock_guard lock(telling_);
  options_.on_evaluation(evaluation);
}

void Monitor::finish(const Server& server) {
  seconds_at_end_ = seconds();
  const double now = stand_still();
  evaluator_.finish(server, now, *this);
  go_on(/*search_seconds=*/0);
  Event event = message_event(EventKind::stopped, 0, 0);
  event.nanoseconds = nanoseconds();
  event.outcome = static_cast<std::uint8_t>(*server.stop_reason());
  event.message.server_version = static_cast<std::uint32_t>(server.version());
  recorder_.add(event);
  if (recorder_.is_on()) recorder_.add(model_event(EventKind::end, server, nanoseconds()));
  recorder_.close();
}

}  // namespace asynprox
