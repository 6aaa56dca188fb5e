#include "asynprox/algorithm/session.h"

#include "asynprox/base/errors.h"

namespace asynprox {

void Session::log(Event event, const Stamp& stamp) {
  event.nanoseconds = stamp.nanoseconds;
  event.message.server_version = static_cast<std::uint32_t>(server_.version());
  log_.add(event);
}

void Session::receive(const Pull& pull, const Stamp& stamp, Replies& replies) {
  if (log_.is_on()) log(message_event(EventKind::pull, pull.worker, pull.incarnation), stamp);
  server_.accept(pull, replies);
}

std::optional<Refusal> Session::receive(Push& push, const PushCheck& check, const Stamp& stamp,
                                        Replies& replies) {
  if (!log_.is_on()) return server_.accept(push, check, replies);
  Event event = push_event(push);  // before its memory is exchanged
  event.compute_seconds = stamp.compute_seconds;
  event.nanoseconds = stamp.nanoseconds;
  event.message.server_version = static_cast<std::uint32_t>(server_.version());
  const std::optional<Refusal> refusal = server_.accept(push, check, replies);
  event.outcome = outcome_of(refusal);
  log_.add(event);
  return refusal;
}

void Session::leave(int worker, int incarnation, const Stamp& stamp) {
  if (log_.is_on()) log(message_event(EventKind::left, worker, incarnation), stamp);
  server_.dismiss(worker);
}

Work Session::next_work(std::optional<int> by, Replies& replies) {
  if (shares_open() > 0) return {.kind = Work::Kind::share, .share = shares_taken_++};
  if (phase_ == Phase::sharing && shares_done_ == evaluator_.num_shares()) {
    phase_ = Phase::deciding;
    return {.kind = Work::Kind::decision};
  }
  if (phase_ == Phase::idle && server_.evaluation_due() && !server_.stopped()) {
    phase_ = Phase::reading;
    evaluator_.begin(server_, host_.stand_still());
    return {.kind = Work::Kind::model};
  }
  const bool step = server_.step_due();
  if (step) server_.begin_step(by);
  if (!step || steps_outside_) server_.hand_out_models(replies);
  return {.kind = step ? Work::Kind::step : Work::Kind::none};
}

void Session::perform(const Work& work) {
  switch (work.kind) {
    case Work::Kind::none: return;
    case Work::Kind::step: return server_.compute();
    case Work::Kind::model: return evaluator_.read_model(server_);
    case Work::Kind::share: return evaluator_.evaluate_share(work.share);
    case Work::Kind::decision: another_round_ = evaluator_.finish_shares(host_); return;
  }
}

void Session::finished(const Work& work, Replies& replies) {
  switch (work.kind) {
    case Work::Kind::none: return;
    case Work::Kind::step: return server_.finish_step(replies);
    case Work::Kind::model: return open_shares();
    case Work::Kind::share: ++shares_done_; return;
    case Work::Kind::decision: return another_round_ ? open_shares() : end_evaluation(replies);
  }
}

void Session::open_shares() {
  phase_ = Phase::sharing;
  shares_taken_ = shares_done_ = 0;
}

void Session::end_evaluation(Replies& replies) {
  // After a stop an evaluation changes nothing any more, whatever it found.
  if (!server_.stopped() && log_.is_on())
    log_.add(model_event(EventKind::evaluated, server_, host_.nanoseconds(), evaluator_.looks()));
  const Evaluation& evaluation = evaluator_.end(server_.stopped());
  phase_ = Phase::idle;
  host_.go_on(evaluator_.search_seconds());
  server_.accept(evaluation, replies, evaluator_.better());
}

void Session::save(SnapshotWriter& writer) const {
  require(at_rest(), "a snapshot is taken while nobody has work in hand");
  writer.put(server_);
  writer.put(evaluator_);
}

void Session::restore(SnapshotReader& reader) {
  require(at_rest(), "a snapshot is restored while nobody has work in hand");
  reader.get(server_);
  reader.get(evaluator_);
}

Event model_event(EventKind kind, const Server& server, std::uint64_t nanoseconds,
                  std::uint8_t outcome) {
  Hash model;
  model.add(server.iterate());
  Event event;
  event.nanoseconds = nanoseconds;
  event.kind = kind;
  event.outcome = outcome;
  event.hashes = {.steps = server.steps_hash(), .model = model.value()};
  return event;
}

}  // namespace asynprox
