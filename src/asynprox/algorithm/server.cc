#include "asynprox/algorithm/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "asynprox/base/errors.h"

namespace asynprox {

std::string_view name(Refusal refusal) {
  switch (refusal) {
    case Refusal::stale: return "stale";
    case Refusal::duplicate: return "duplicate";
    case Refusal::nonfinite: return "nonfinite";
    case Refusal::shape: return "shape";
    case Refusal::fenced: return "fenced";
  }
  return "";
}

Server::Server(std::unique_ptr<ModelState> model, AnyStepSize step_size, StepContext context,
               const ServerOptions& options, Stopping stopping, EvaluationSchedule schedule,
               std::unique_ptr<AnyServerPart> method)
    : model_(std::move(model)),
      method_(std::move(method)),
      step_size_(std::move(step_size)),
      context_(context),
      hash_steps_(options.hash_steps),
      gate_({.pushes_per_step = options.pushes_per_step,
             .staleness_max = options.staleness_max,
             .policy = options.staleness_policy,
             .stale_refusals_max = options.stale_refusals_max,
             .one_push_a_worker = options.one_push_a_worker,
             .any_version = options.any_version}),
      dealing_(options.deals_samples, options.workers),
      judge_({.bold = options.bold,
              .falls_back = options.falls_back,
              .epochs_to_fallback = options.epochs_to_fallback,
              .pushes_per_step = options.pushes_per_step,
              .batch_size = options.batch_size,
              .pushes_per_pass = options.pushes_per_pass,
              .pushes_max = options.pushes_max},
             std::move(stopping), schedule) {
  require(options.pushes_per_step >= 1, "pushes per step: at least 1");
  require(options.batch_size >= 1, "batch size: at least 1");
  require(options.staleness_max >= 0, "staleness max: at least 0");
  require(options.pushes_per_pass % options.pushes_per_step == 0,
          "pushes per pass: a multiple of those per step");
}

void Server::receive(const Pull& pull, Replies& replies) {
  accept(pull, replies);
  proceed(replies);
}

void Server::receive(Push& push, Replies& replies) {
  accept(push, check(push), replies);
  proceed(replies);
}

void Server::leave(int worker, Replies& replies) {
  dismiss(worker);
  proceed(replies);
}

void Server::evaluated(const Evaluation& evaluation, Replies& replies, const Vector* better) {
  accept(evaluation, replies, better);
  proceed(replies);
}

void Server::accept(const Pull& pull, Replies& replies) {
  if (members_.is_late(pull)) return;
  if (const Key* beyond = key_beyond(pull.keys, model_->dimension())) {
    Reply& reply = replies.add(pull.worker, Verdict::refused);
    reply.refusal = Refusal::shape;
    reply.detail = fmt::format("pull of worker {}: expected coordinates below {}, got {}",
                               pull.worker, model_->dimension(), *beyond);
    return;
  }
  if (dealing_.enter(pull.worker, members_.begins_another_life(pull))) forget();
  members_.enter(pull);
  gate_.release(pull.worker);
  gate_.forgive(pull.worker);
  dealing_.heard_from(pull.worker, pull.round);
  Keys keys = pull.keys;
  waiting_.add(pull.worker, Verdict::accepted, keys);
}

void Server::dismiss(int worker) {
  gate_.release(worker);
  waiting_.remove(worker);
  members_.leave(worker);
  if (dealing_.leave(worker)) forget();
}

std::optional<Refusal> Server::accept(Push& push, const PushCheck& check, Replies& replies) {
  ++books_.ledger.received;
  const std::optional<Refusal> refusal = reason_to_refuse(push, check);
  if (refusal) {
    refuse(push, *refusal, check.detail, replies);
  } else {
    books_.samples_received += push.num_samples;
    keep(push);
  }
  return refusal;
}

void Server::accept(const Evaluation& evaluation, Replies& replies, const Vector* better) {
  judge_.end_evaluation();
  // Whoever stopped the run meanwhile has the model as it is.
  if (stopped()) return;
  step_.replaced = better != nullptr;
  if (better) model_->set(*better);
  carry_out(judge_.judge(evaluation, k_), replies);
}

void Server::carry_out(const Ruling& ruling, Replies& replies) {
  if (ruling.keep) judge_.keep(model_->iterate());
  if (ruling.go_back) {
    model_->set(judge_.best());
    if (method_) method_->restored();
    step_.replaced = true;
  }
  if (ruling.enlarged) gate_.set_pushes_per_step(judge_.pushes_per_step());
  if (ruling.forget && dealing_.deal_again()) forget();
  if (ruling.stop) stop(*ruling.stop, replies);
}

// A step under way may be looking at it, and is told when it ends.
void Server::forget() {
  if (method_ && !step_.under_way) method_->forget();
}

void Server::prefetch(const Push& push) const {
  model_->prefetch(push.keys);
  model_->prefetch(push.keys_next);
}

std::optional<Refusal> Server::reason_to_refuse(const Push& push, const PushCheck& check) const {
  if (const auto refusal = members_.refusal(push.id)) return refusal;
  const int worker = push.id.worker;
  if (!gate_.owes_push(worker)) return Refusal::duplicate;
  if (check.refusal) return check.refusal;
  if (dealing_.is_stale(push.share)) return Refusal::stale;
  if (!gate_.admits(worker, push.version, k_, k_ + (step_.under_way ? 1 : 0)))
    return Refusal::stale;
  return std::nullopt;
}

void Server::refuse(Push& push, Refusal refusal, const std::string& detail, Replies& replies) {
  ++books_.ledger.refused[static_cast<int>(refusal)];
  const int worker = push.id.worker;
  if (refusal == Refusal::duplicate && push.repeated && members_.is_newest(push.id)) {
    // Its sender still waits for the answer.
    release(worker, push.share);
    const Verdict verdict = waiting_.of(worker).verdict;
    return waiting_.add(worker, verdict, verdict == Verdict::accepted ? push.keys_next : push.keys);
  }
  if (refusal == Refusal::fenced || refusal == Refusal::duplicate || refusal == Refusal::shape) {
    Reply& reply = replies.add(worker, Verdict::refused);
    reply.incarnation = push.id.incarnation;
    reply.sequence = push.id.sequence;
    reply.refusal = refusal;
    reply.detail = detail;
    return;
  }
  books_.samples_received += push.num_samples;
  members_.received(push.id);
  release(worker, push.share);
  waiting_.note_refusal(worker, refusal);
  waiting_.add(worker, Verdict::refused, push.keys);
  if (refusal == Refusal::stale) gate_.refused_as_stale(worker);
  if (refusal == Refusal::nonfinite && members_.received_nonfinite(worker))
    carry_out(judge_.overflow(step_.under_way), replies);
}

void Server::release(int worker, const Share& share) {
  gate_.release(worker);
  dealing_.heard_from(worker, share.round);
}

void Server::keep(Push& push) {
  const int worker = push.id.worker;
  members_.received(push.id);
  members_.received_finite(worker);
  dealing_.heard_from(worker, push.share.round);
  if (push.memory == MemoryChange::shard) dealing_.has_read(worker);
  gate_.admit(worker, push.version);
  waiting_.add(worker, Verdict::accepted, push.keys_next);
  pushes_.keep(push);
  ++books_.ledger.pending;
}

bool Server::step_due() const {
  const auto m = static_cast<std::size_t>(judge_.pushes_per_step());
  if (stopped() || judge_.evaluation_due() || step_.under_way || pushes_.pending() < m)
    return false;
  return gate_.allows_step(pushes_.oldest_versions(m), k_ + 1);
}

void Server::begin_step(std::optional<int> computed_by) {
  const auto m = static_cast<std::size_t>(judge_.pushes_per_step());
  const std::span<const std::int64_t> versions = pushes_.oldest_versions(m);
  for (const std::int64_t version : versions) gate_.apply(version);
  step_.under_way = true;
  step_.computed_by = computed_by;
  step_.round = dealing_.round();

  StepContext context = context_;
  context.k = k_;
  context.staleness_oldest = k_ - versions.front();
  context.staleness = std::max(context_.staleness, context.staleness_oldest);
  context.boldness = judge_.boldness().value_or(context.boldness);
  step_.eta = step_size_.eta(context);
  books_.step_size_max = std::max(books_.step_size_max, step_.eta);
  pushes_.take(m);
}

void Server::compute() {
  const std::span<const Push* const> summands = pushes_.summands();
  const StepDirection direction =
      model_->gather(summands, static_cast<double>(judge_.batch_size()));
  const bool moves =
      !method_ || method_->direct({.pushes = summands, .round = step_.round}, direction);
  model_->step(moves ? step_.eta : 0);
}

void Server::finish_step(Replies& replies) {
  step_.under_way = step_.replaced = false;
  step_.computed_by.reset();
  const bool finite = model_->commit();
  if (method_ && step_.round != dealing_.round()) method_->forget();
  count_step(finite);
  // The pushes of a step that could not be taken stay pending, if nothing comes after: they never
  // had an effect.
  if (!finite || judge_.overflowed()) {
    carry_out(judge_.overflow(step_.under_way), replies);
    if (stopped()) return;
  }
  Ledger& ledger = books_.ledger;
  ledger.applied += judge_.pushes_per_step();
  ledger.pending -= judge_.pushes_per_step();
  ++k_;
  if (hash_steps_) model_->add_last_step(books_.steps_hash);
  ensure(ledger.balanced(), "received = applied + refused + pending does not hold");
  ensure(gate_.keeps_bound(books_.staleness.max), "a gradient was older than the bound");
  judge_.step_taken(k_);
}

void Server::count_step(bool finite) {
  if (finite || judge_.judges())
    for (const Push* applied : pushes_.summands()) {
      books_.staleness.add(k_ - applied->version);
      books_.samples_applied += applied->num_samples;
    }
  pushes_.clear();
}

void Server::proceed(Replies& replies) {
  while (step_due()) {
    begin_step();
    compute();
    finish_step(replies);
  }
  hand_out_models(replies);
}

void Server::hand_out_models(Replies& replies) {
  using Decision = WaitingList::Decision;
  if (stopped())
    return waiting_.for_each([&](int worker) {
      replies.add(worker, Verdict::stopped);
      return Decision::go;
    });
  if (judge_.evaluation_due()) return;
  waiting_.for_each([&](int worker) {
    const Decision decision = may_go(worker);
    if (decision == Decision::go) hand_out(worker, replies);
    return decision;
  });
}

WaitingList::Decision Server::may_go(int worker) const {
  using Decision = WaitingList::Decision;
  if (worker == step_.computed_by || gate_.awaits_step(worker, k_) ||
      dealing_.awaits_others(worker))
    return Decision::stay;
  const bool allowed = gate_.allows_loan(worker, pushes_.pending(), step_.under_way);
  return allowed ? Decision::go : Decision::nobody_else;
}

void Server::hand_out(int worker, Replies& replies) {
  const WaitingList::Answer& answer = waiting_.of(worker);
  const Membership::Member& member = members_.of(worker);
  gate_.lend(worker, k_);
  Reply& reply = replies.add(worker, answer.verdict);
  reply.incarnation = member.incarnation;
  reply.sequence = member.last_sequence;
  reply.refusal = answer.refusal;
  reply.has_model = true;
  reply.model.version = k_;
  // Of a push that is to be made again the next draw has its turn already.
  if (answer.verdict == Verdict::accepted) reply.turn = dealing_.next_turn();
  std::swap(reply.model.keys, waiting_.keys_of(worker));
  dealing_.tell(worker, reply);
  model_->read(reply.model);
}

void Server::stop(StopReason reason, Replies& replies) {
  judge_.stop(reason);
  hand_out_models(replies);
}

}  // namespace asynprox
