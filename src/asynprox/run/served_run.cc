#include "asynprox/run/served_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "asynprox/base/errors.h"
#include "asynprox/run/outcome.h"
#include "asynprox/run/plan_steps.h"
#include "asynprox/run/planning.h"

namespace asynprox {
namespace {

// The upper bits of a life are the number of the server that gave it.
constexpr int kBootBits = 16, kBootsMax = (1 << (31 - kBootBits)) - 1;

}  // namespace

ServedRun::ServedRun(Problem problem, const Plan& plan, const std::optional<Vector>& given_start,
                     RunHooks hooks, bool keep_models)
    : problem_(std::move(problem)),
      plan_(plan),
      vectors_(vectors_of(problem_, plan, given_start)),
      hooks_(std::move(hooks)),
      recorder_(hooks_.on_events),
      server_(make_server(problem_, plan_, vectors_,
                          make_start(problem_, plan_.start, plan_.seed, given_start),
                          hooks_.on_events != nullptr)),
      slots_(plan_.workers.slots),
      keep_models_(keep_models) {}

const ServedRun::Slot& ServedRun::slot(int worker) const {
  require(worker >= 0 && static_cast<std::size_t>(worker) < slots_.size(),
          fmt::format("worker: expected a number from 0 to {}, got {}", slots_.size() - 1, worker));
  return slots_[worker];
}

Arrival ServedRun::receive(const Pull& pull, Replies& replies) {
  Slot& sender = slot(pull.worker);
  if (pull.incarnation != sender.life) return Arrival::fenced;
  if (std::exchange(sender.pulled, true)) return Arrival::repeated;
  sender.sequence = 0;
  if (begun()) {
    enter(pull, replies);
    return Arrival::taken;
  }
  sender.first = pull;
  const bool all_here = std::ranges::all_of(slots_, &Slot::pulled);
  if (all_here) begin(replies);
  return Arrival::taken;
}

void ServedRun::make_session() {
  monitor_ = std::make_unique<Monitor>(problem_, recorder_,
                                       watched_options(problem_, plan_, vectors_, hooks_));
  session_ = std::make_unique<Session>(server_, monitor_->evaluator(), *monitor_, recorder_);
}

void ServedRun::begin(Replies& replies) {
  make_session();
  for (Slot& sender : slots_)
    if (const std::optional<Pull> first = std::exchange(sender.first, std::nullopt))
      enter(*first, replies);
}

void ServedRun::enter(const Pull& pull, Replies& replies) {
  if (server_.stopped()) {
    replies.add(pull.worker, Verdict::stopped);
    return;
  }
  session_->receive(pull, {.nanoseconds = monitor_->nanoseconds()}, replies);
  proceed(replies);
}

void ServedRun::proceed(Replies& replies) {
  while (server_.stopped() || !server_.evaluation_due()) {
    const Work work = session_->next_work(/*by=*/{}, replies);
    if (!work) break;
    perform(work, replies);
  }
}

void ServedRun::perform(const Work& work, Replies& replies) {
  session_->perform(work);
  session_->finished(work, replies);
  if (!keep_models_ || work.kind == Work::Kind::share) return;
  if (kept_.empty() || kept_.back().steps != server_.version())
    kept_.push_back({server_.version(), monitor_->seconds(), server_.iterate()});
}

Arrival ServedRun::receive(Push& push, Replies& replies) {
  Slot& sender = slot(push.id.worker);
  if (push.id.incarnation != sender.life || !sender.pulled) {
    // Into the books, but not into the record: it has no effect.
    Replies unused;
    if (begun() && !server_.stopped()) server_.accept(push, server_.check(push), unused);
    return Arrival::fenced;
  }
  if (push.id.sequence <= sender.sequence) return Arrival::repeated;
  require(begun(), "a push came before the run began");
  sender.sequence = push.id.sequence;
  if (server_.stopped()) {
    replies.add(push.id.worker, Verdict::stopped);
    return Arrival::taken;
  }
  session_->receive(
      push, server_.check(push),
      {.nanoseconds = monitor_->nanoseconds(), .compute_seconds = push.compute_seconds}, replies);
  proceed(replies);
  recorder_.hand_on();
  return Arrival::taken;
}

void ServedRun::leave(int worker, Replies& replies) {
  Slot& gone = slot(worker);
  if (!std::exchange(gone.pulled, false)) return;
  if (!begun()) {
    gone.first.reset();  // nobody has seen this life
    return;
  }
  if (!server_.stopped()) {
    session_->leave(worker, gone.life, {.nanoseconds = monitor_->nanoseconds()});
    proceed(replies);
  }
  ++gone.life;
}

void ServedRun::watch(Replies& replies) {
  if (!begun()) return;
  while (!server_.stopped() && server_.evaluation_due()) {
    monitor_->watch_limits(server_, replies);
    if (server_.stopped()) break;
    do perform(session_->next_work(/*by=*/{}, replies), replies);
    while (session_->evaluating());
    proceed(replies);
  }
  monitor_->watch(*session_, replies);
}

void ServedRun::stop(StopReason reason, Replies& replies) { server_.stop(reason, replies); }

std::optional<RunState> ServedRun::state() {
  if (!begun() || over()) return std::nullopt;
  auto state = monitor_->take_state(*session_, std::vector<Worker>{}, *this);
  recorder_.hand_on_all();
  return state;
}

void ServedRun::restore(const RunState& state, int boot, Replies& replies) {
  require(!begun(), "a server goes on from a state before any message");
  require(boot >= 1 && boot <= kBootsMax,
          fmt::format("boot: expected a number from 1 to {}, got {}", kBootsMax, boot));
  make_session();
  std::vector<Worker> elsewhere;
  monitor_->restore_state(state, *session_, elsewhere, *this);
  const int first_life = boot << kBootBits;
  for (std::size_t worker = 0; worker < slots_.size(); ++worker) {
    Slot& gone = slots_[worker];
    if (gone.life >= first_life)
      throw ContractError(fmt::format("boot: expected a number above {}, that of a server before",
                                      gone.life >> kBootBits));
    leave(static_cast<int>(worker), replies);
    gone.life = first_life;
  }
}

Result ServedRun::finish() {
  Replies unused;
  if (!begun()) begin(unused);
  if (!server_.stopped()) server_.stop(StopReason::interrupted, unused);
  monitor_->finish(server_);
  return result_of(problem_, plan_, server_, *monitor_);
}

}  // namespace asynprox
