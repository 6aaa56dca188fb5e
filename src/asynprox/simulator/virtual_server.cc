#include "asynprox/simulator/virtual_server.h"

#include <algorithm>
#include <utility>

namespace asynprox {

VirtualServer::VirtualServer(Server& server, Monitor& monitor, Recorder& recorder,
                             const Cluster& cluster, std::size_t slots, Post& post,
                             VirtualClock& clock)
    : server_(server),
      monitor_(monitor),
      recorder_(recorder),
      cluster_(cluster),
      post_(post),
      clock_(clock),
      counters_(slots) {}

void VirtualServer::arrive(LetterNumber number, double now) {
  counters_[post_.letters()[number].slot].arrived = now;
  if (busy_)
    queue_.push_back(number);
  else
    handle(number, now);
}

void VirtualServer::look_up(double now) {
  clock_.seconds = std::max(clock_.seconds, now);
  monitor_.watch_limits(server_, replies_);
}

void VirtualServer::go_on(double now) {
  busy_ = false;
  if (queue_.empty()) return;
  const LetterNumber next = queue_.front();
  queue_.pop_front();
  handle(next, now);
}

void VirtualServer::handle(LetterNumber number, double now) {
  busy_ = true;
  clock_.seconds = now;
  monitor_.watch(server_, replies_);
  if (server_.stopped()) return;
  take(post_.letters()[number]);
  post_.letters().close(number);
  proceed();
  send_replies();
  seconds_busy_ += clock_.seconds - now;
  post_.agenda().note(clock_.seconds, {.kind = Happening::Kind::server_free});
}

void VirtualServer::take(Letter& letter) {
  switch (letter.kind) {
    case LetterKind::pull: return take_pull(letter);
    case LetterKind::push: return take_push(letter);
    case LetterKind::want: return take_want(letter);
    case LetterKind::gone: return take_gone(letter);
    case LetterKind::reply:
    case LetterKind::receipt: return;
  }
}

void VirtualServer::take_pull(const Letter& letter) {
  Counter& counter = counters_[letter.slot];
  if (letter.life < counter.life) return;
  counter.life = letter.life;
  counter.owes_want = false;
  counter.model_to_follow.reset();
  record(message_event(EventKind::pull, letter.slot, letter.pull.incarnation));
  server_.accept(letter.pull, replies_);
}

void VirtualServer::take_push(Letter& letter) {
  clock_.seconds += cluster_.push_seconds;
  counters_[letter.slot].round = letter.push.share.round;
  Event event = push_event(letter.push);
  event.compute_seconds = static_cast<float>(letter.compute_seconds);
  event.message.server_version = static_cast<std::uint32_t>(server_.version());
  const auto refusal = server_.accept(letter.push, server_.check(letter.push), replies_);
  event.outcome = outcome_of(refusal);
  event.nanoseconds = monitor_.nanoseconds();
  recorder_.add(event);
  recorder_.hand_on();
  // A refusal brings the model to compute the same samples at: only what was accepted is receipted.
  if (cluster_.fused || refusal) return;
  counters_[letter.slot].owes_want = true;
  const LetterNumber receipt = post_.letters().open(LetterKind::receipt, letter.slot, letter.life);
  post_.send(Direction::down, receipt, clock_.seconds);
}

// Asked for anew, so that the model is the newest; what the worker is to do with it was decided
// before.
void VirtualServer::take_want(const Letter& letter) {
  Counter& counter = counters_[letter.slot];
  if (letter.life != counter.life || !counter.owes_want) return;
  counter.owes_want = false;
  if (!counter.model_to_follow) return;  // it is held: the model comes when it may
  server_.accept(Pull{.worker = letter.slot,
                      .incarnation = letter.life,
                      .sequence = counter.model_to_follow->sequence,
                      .keys = std::move(counter.model_to_follow->model.keys),
                      .round = counter.round},
                 replies_);
  counter.model_to_follow.reset();
}

// Not, if that worker is back already.
void VirtualServer::take_gone(const Letter& letter) {
  if (counters_[letter.slot].life != letter.life) return;
  record(message_event(EventKind::left, letter.slot, letter.life));
  server_.dismiss(letter.slot);
}

void VirtualServer::proceed() {
  for (;;) {
    if (server_.evaluation_due() && !server_.stopped()) {
      const Evaluation& evaluation = monitor_.evaluate(server_);  // before better(): it finds that
      server_.accept(evaluation, replies_, monitor_.better());
    } else if (server_.step_due()) {
      server_.begin_step();
      server_.compute();
      server_.finish_step(replies_);
      clock_.seconds += cluster_.step_seconds;
    } else {
      break;
    }
  }
  server_.hand_out_models(replies_);
}

void VirtualServer::send_replies() {
  for (Reply& reply : replies_) {
    Counter& counter = counters_[reply.worker];
    if (counter.owes_want && reply.has_model) {
      counter.model_to_follow = std::move(reply);
      reply = {};
      continue;
    }
    const LetterNumber letter =
        post_.letters().open(LetterKind::reply, reply.worker, reply.incarnation);
    std::swap(post_.letters()[letter].reply, reply);
    post_.letters()[letter].at_server = clock_.seconds - counter.arrived;
    post_.send(Direction::down, letter, clock_.seconds);
  }
  replies_.clear();
}

void VirtualServer::record(Event event) {
  event.nanoseconds = monitor_.nanoseconds();
  event.message.server_version = static_cast<std::uint32_t>(server_.version());
  recorder_.add(event);
}

}  // namespace asynprox
