#include "asynprox/runtimes/replay.h"

#include <fmt/format.h>

#include "asynprox/runtimes/letter_boxes.h"
#include "asynprox/runtimes/model_window.h"

namespace asynprox {
namespace {

class ReplayRun final : public EventLog {
 public:
  ReplayRun(Server& server, std::vector<Worker>& workers, Monitor& monitor,
            const RunOptions& options)
      : server_(server),
        workers_(workers),
        monitor_(monitor),
        session_(server, monitor.evaluator(), monitor, *this, options.steps_outside_lock),
        options_(options),
        boxes_(workers.size()) {
    if (options.delays) window_.emplace(options.delays->delay.max() + 1);
  }

  ReplayedLeg run(const EventSource& next_event) {
    if (options_.resumed) {
      monitor_.restore_state(*options_.resumed, session_, workers_, *this);
      k_same_ = server_.version();
    }
    bool ended = false;
    while (!ended && !comparison_.difference) {
      const std::optional<Event> event = next_event();
      if (!event) {
        differ("the record ends before the run does");
        break;
      }
      if (event->kind == EventKind::resumed) {
        if (const auto state = seam(*event)) return {comparison_, state};
        continue;
      }
      happen(*event);
      ended = event->kind == EventKind::end;
    }
    if (!comparison_.difference && next_event()) differ("the record goes on after the run's end");
    server_.stop(StopReason::interrupted, replies_);
    return {comparison_, std::nullopt};
  }

  template <IsA<ReplayRun> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    visit("boxes", part.boxes_);
    if (part.window_) visit("window", *part.window_);
  }

  // What the session has to say is compared with the event that is made again.
  bool is_on() const override { return true; }
  void add(const Event& event) override {
    if (event.kind == EventKind::evaluated) compare(event.hashes);
  }

 private:
  void happen(const Event& event) {
    recorded_ = event;
    switch (event.kind) {
      case EventKind::pull: return pull(event);
      case EventKind::push: return push(event);
      case EventKind::left: return leave(event);
      case EventKind::evaluated: return evaluate(event);
      case EventKind::horizon: return set_horizon(event);
      case EventKind::stopped: return stop(event);
      case EventKind::end: return compare(model_event(EventKind::end, server_, 0).hashes);
      case EventKind::resumed: return;
    }
    differ(fmt::format("the record has an event of kind {}", static_cast<int>(event.kind)));
  }

  // The state at which the run was interrupted. Empty: it differs, or cannot be saved.
  std::optional<RunState> seam(const Event& event) {
    while (server_.step_under_way()) finish_step();
    if (!reach(event.message.server_version, "the run was resumed")) return std::nullopt;
    return monitor_.take_state(session_, workers_, *this);
  }

  void set_horizon(const Event& event) {
    if (reach(static_cast<std::int64_t>(event.horizon.server_version), "an estimate was made"))
      server_.set_horizon(static_cast<std::int64_t>(event.horizon.steps));
  }

  void pull(const Event& event) {
    if (!arrive(event)) return;
    Worker& worker = workers_[event.worker];
    const auto life = static_cast<int>(event.message.incarnation);
    const int before = worker.pull().incarnation;
    if (life < 0 || (life > 0 && life <= before))
      return differ(fmt::format("worker {}: expected a life after {}, got {}", event.worker, before,
                                event.message.incarnation));
    if (life > 0) worker.rejoin(life);
    const Pull pull = worker.pull();
    session_.receive(pull, {}, replies_);
    proceed(event.worker);
  }

  void push(const Event& event) {
    if (!arrive(event)) return;
    const std::string what =
        fmt::format("push {} of worker {}", event.message.sequence, event.worker);
    Reply* const reply = boxes_.take(event.worker);
    if (!reply) return differ(what + ": the worker holds no model");
    if (window_ && window_->has(event.message.version))
      window_->replace(reply->model, event.message.version);
    if (!workers_[event.worker].answer(*reply, push_))
      return differ(what + ": the server had stopped");
    if (push_.version != event.message.version || push_.id.sequence != event.message.sequence)
      return differ(fmt::format("{}: expected version {}, got push {} of version {}", what,
                                event.message.version, push_.id.sequence, push_.version));
    ++comparison_.pushes;
    const auto refusal = session_.receive(push_, server_.check(push_), {}, replies_);
    const std::uint8_t outcome = outcome_of(refusal);
    if (outcome != event.outcome)
      return differ(fmt::format("{}: expected outcome {}, got {}", what, event.outcome, outcome));
    proceed(event.worker);
  }

  void leave(const Event& event) {
    if (!arrive(event)) return;
    boxes_.take(event.worker);
    session_.leave(event.worker, static_cast<int>(event.message.incarnation), {});
    proceed(event.worker);
  }

  void evaluate(const Event& event) {
    while (server_.step_under_way()) finish_step();
    if (!server_.evaluation_due() || server_.stopped())
      return differ(fmt::format("no evaluation is due at step {}", server_.version()));
    if (event.outcome > 0) monitor_.evaluator().limit_looks(event.outcome - 1);
    do perform(session_.next_work(/*by=*/{}, replies_));
    while (session_.evaluating());
    proceed(std::nullopt);
  }

  void stop(const Event& event) {
    if (!arrive(event)) return;
    const auto reason = static_cast<StopReason>(event.outcome);
    if (server_.stopped() && *server_.stop_reason() != reason)
      return differ(fmt::format("expected the run to end as {}, got {}", name(reason),
                                name(*server_.stop_reason())));
    server_.stop(reason, replies_);
  }

  // Is there such a worker? Then the steps that were taken before its message arrived are taken.
  bool arrive(const Event& event) {
    if (event.worker >= workers_.size()) {
      differ(fmt::format("the record has worker {}, this run {} workers", event.worker,
                         workers_.size()));
      return false;
    }
    return reach(event.message.server_version,
                 fmt::format("a message of worker {} arrived", event.worker));
  }

  bool reach(std::int64_t version, std::string_view what) {
    while (server_.version() < version && server_.step_under_way()) finish_step();
    if (server_.version() == version) return true;
    differ(fmt::format("{} at step {}, here at {}", what, version, server_.version()));
    return false;
  }

  // Does what is due; but evaluations, and steps that threads computed outside the lock, end where the
  // record says so.
  void proceed(std::optional<int> by) {
    while (server_.stopped() || !server_.evaluation_due()) {
      const Work work = session_.next_work(by, replies_);
      if (!work || options_.steps_outside_lock) break;
      perform(work);
    }
    if (window_) window_->keep(replies_);
    boxes_.deliver(replies_);
  }

  void perform(const Work& work) {
    session_.perform(work);
    session_.finished(work, replies_);
  }

  void finish_step() {
    perform({.kind = Work::Kind::step});
    proceed(std::nullopt);
  }

  void compare(const Event::Hashes& here) {
    ++comparison_.models;
    const std::int64_t k = server_.version();
    if (here.steps != recorded_.hashes.steps)
      differ(fmt::format("between step {} and step {} a step wrote other numbers", k_same_, k));
    else if (here.model != recorded_.hashes.model)
      differ(fmt::format("the model at step {} has other numbers", k));
    k_same_ = k;
  }

  void differ(std::string difference) {
    if (!comparison_.difference) comparison_.difference = std::move(difference);
  }

  Server& server_;
  std::vector<Worker>& workers_;
  Monitor& monitor_;
  Session session_;
  const RunOptions& options_;
  LetterBoxes boxes_;
  std::optional<ModelWindow> window_;  // of a run with given delays
  Replies replies_;
  Push push_;
  Event recorded_;  // the one that is made again
  Comparison comparison_;
  std::int64_t k_same_ = 0;  // the last step known to be the same
};

}  // namespace

ReplayedLeg run_replay(Server& server, std::vector<Worker>& workers, Monitor& monitor,
                       const EventSource& next_event, const RunOptions& options) {
  ReplayedLeg leg = ReplayRun(server, workers, monitor, options).run(next_event);
  if (!leg.seam) monitor.finish(server);
  return leg;
}

}  // namespace asynprox
