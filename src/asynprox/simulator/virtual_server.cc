#include "asynprox/simulator/virtual_server.h"

#include <algorithm>
#include <utility>

namespace asynprox {

VirtualServer::VirtualServer(Server& server, Monitor& monitor, Recorder& recorder,
                             const Cluster& cluster, std::size_t slots, Post& post,
                             VirtualClock& clock)
    : server_(server),
      session_(server, monitor.evaluator(), monitor, recorder),
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
  monitor_.watch(session_, replies_);
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
  session_.receive(letter.pull, {.nanoseconds = monitor_.nanoseconds()}, replies_);
}

void VirtualServer::take_push(Letter& letter) {
  clock_.seconds += cluster_.push_seconds;
  counters_[letter.slot].round = letter.push.share.round;
  const auto refusal =
      session_.receive(letter.push, server_.check(letter.push),
                       {.nanoseconds = monitor_.nanoseconds(),
                        .compute_seconds = static_cast<float>(letter.compute_seconds)},
                       replies_);
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

// Not if that worker is back already. It may not have been heard of at all, as its pull can be lost; what
// it sent in that life and is still on its way comes too late.
void VirtualServer::take_gone(const Letter& letter) {
  int& life = counters_[letter.slot].life;
  if (letter.life < life) return;
  life = letter.life + 1;
  session_.leave(letter.slot, letter.life, {.nanoseconds = monitor_.nanoseconds()});
}

void VirtualServer::proceed() {
  while (const Work work = session_.next_work(/*by=*/{}, replies_)) {
    session_.perform(work);
    session_.finished(work, replies_);
    if (work.kind == Work::Kind::step) clock_.seconds += cluster_.step_seconds;
  }
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

}  // namespace asynprox
