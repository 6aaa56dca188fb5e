#include "asynprox/algorithm/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

// Computed again at the newest model, a gradient that is still not finite ends the run.
constexpr int kNonfiniteRefusalsMax = 1;

// Of steps whose noise does not vanish.
constexpr BoldRules kNoisy = {.grow = 1.2, .least = 0};
constexpr int kEnlargement = 4;

}  // namespace

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
      options_(options),
      stopping_(std::move(stopping)),
      schedule_(schedule),
      in_flight_(options.pushes_per_step, options.staleness_max) {
  require(options.pushes_per_step >= 1, "pushes per step: at least 1");
  require(options.batch_size >= 1, "batch size: at least 1");
  require(options.staleness_max >= 0, "staleness max: at least 0");
  require(options.pushes_per_pass % options.pushes_per_step == 0,
          "pushes per pass: a multiple of those per step");
  turn_next_ = options.workers;
  if (options.bold) driver_.emplace(options.pushes_per_pass > 0 ? kNoisy : BoldRules());
  if (!options.deals_samples) return;
  slots_.resize(options.workers);
  for (int worker = 0; worker < options.workers; ++worker) {
    slots_[worker].dealt = true;
    shares_.push_back({.round = 0, .number = worker, .of = options.workers});
  }
}

void Server::deal(int worker, bool takes_part) {
  if (!options_.deals_samples) return;
  slot(worker).dealt = takes_part;
  deal_again();
}

void Server::deal_again() {
  ++round_;
  shares_read_ = 0;
  const auto of = static_cast<int>(std::ranges::count(slots_, true, &Slot::dealt));
  shares_.assign(slots_.size(), {.round = round_, .number = 0, .of = of});
  for (std::size_t i = 1; i < slots_.size(); ++i)
    shares_[i].number = shares_[i - 1].number + (slots_[i - 1].dealt ? 1 : 0);
  // A step under way may be looking at it.
  if (method_ && !step_under_way_) method_->forget();
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
  Slot& worker = slot(pull.worker);
  if (std::pair(pull.incarnation, pull.sequence) <
      std::pair(worker.incarnation, worker.last_sequence))
    return;
  if (const Key* beyond = key_beyond(pull.keys, model_->dimension())) {
    Reply& reply = replies.add(pull.worker, Verdict::refused);
    reply.refusal = Refusal::shape;
    reply.detail = fmt::format("pull of worker {}: expected coordinates below {}, got {}",
                               pull.worker, model_->dimension(), *beyond);
    return;
  }
  // In a new life it remembers nothing.
  if (!worker.dealt || (worker.incarnation >= 0 && pull.incarnation > worker.incarnation))
    deal(pull.worker, /*takes_part=*/true);
  worker.last_sequence = pull.sequence;  // what it sent before, and is still on its way, is void
  release(worker);
  worker.present = true;
  worker.incarnation = pull.incarnation;
  worker.refusals_stale = worker.refusals_nonfinite = 0;
  worker.round = pull.round;
  Keys keys = pull.keys;
  wait(pull.worker, Verdict::accepted, keys);
}

void Server::dismiss(int worker) {
  Slot& gone = slot(worker);
  release(gone);
  std::erase(waiting_, worker);
  gone.waiting = false;
  gone.present = false;
  if (gone.dealt) deal(worker, /*takes_part=*/false);
}

std::optional<Refusal> Server::accept(Push& push, const PushCheck& check, Replies& replies) {
  ++ledger_.received;
  const std::optional<Refusal> refusal = reason_to_refuse(push, check);
  if (refusal) {
    refuse(push, *refusal, check.detail, replies);
  } else {
    samples_received_ += push.num_samples;
    keep(push);
  }
  return refusal;
}

void Server::accept(const Evaluation& evaluation, Replies& replies, const Vector* better) {
  evaluation_due_ = false;
  // Whoever stopped the run meanwhile has the model as it is.
  if (stopped()) return;
  replaced_ = better != nullptr;
  if (better) model_->set(*better);
  if (fallen_back_) return accept_fallback(evaluation, replies);
  if (driver_ && best_.empty() && !std::isfinite(evaluation.objective))
    return stop(StopReason::diverged, replies);
  const Judgement judgement =
      driver_ ? driver_->judge(evaluation.objective, may_enlarge_steps()) : Judgement::fell;
  if (judgement != Judgement::fell)
    go_back();
  else if (driver_)
    best_ = model_->iterate();
  if (judgement == Judgement::noise) enlarge_steps();
  if (driver_ && driver_->hopeless()) return give_up(StopReason::diverged, replies);
  const auto reason =
      judgement == Judgement::fell ? stopping_.judge(evaluation) : stopping_.judge_rise(evaluation);
  evaluation_next_ = next_evaluation();
  if (reason == StopReason::stalled) return give_up(*reason, replies);
  if (reason) return stop(*reason, replies);
  if (options_.falls_back && evaluation.epochs >= options_.epochs_to_fallback)
    return give_up(StopReason::stalled, replies);
  if (overflowed_) overflow(replies);
}

void Server::accept_fallback(const Evaluation& evaluation, Replies& replies) {
  best_ = model_->iterate();
  evaluation_due_ = true;
  if (const auto reason = stopping_.judge_fallback(evaluation)) {
    evaluation_due_ = false;
    stop(*reason, replies);
  }
}

void Server::give_up(StopReason reason, Replies& replies) {
  if (!options_.falls_back || best_.empty()) return stop(reason, replies);
  fallen_back_ = evaluation_due_ = true;
  overflowed_ = false;
  go_back();
}

std::int64_t Server::next_evaluation() const {
  const std::int64_t next = options_.pushes_per_pass > 0
                                ? k_ + options_.pushes_per_pass / options_.pushes_per_step
                                : schedule_.next_after(k_);
  const auto steps_max = stopping_.steps_max();
  return steps_max && *steps_max > k_ ? std::min(next, *steps_max) : next;
}

bool Server::may_enlarge_steps() const { return options_.pushes_per_step < options_.pushes_max; }

void Server::enlarge_steps() {
  const int m = options_.pushes_per_step, in_pass = options_.pushes_per_pass / m;
  // The least number of steps that make one, and leave a pass a whole number of steps.
  int times = std::min(kEnlargement, in_pass);
  while (in_pass % times != 0) ++times;
  if (m * times > options_.pushes_max) {
    options_.pushes_max = m;
    return;
  }
  options_.pushes_per_step *= times;
  options_.batch_size *= times;
  in_flight_.set_pushes_per_step(options_.pushes_per_step);
  stopping_.enlarge_steps(k_, times);
}

void Server::go_back() {
  model_->set(best_);
  if (method_) method_->restored();
  replaced_ = true;
}

void Server::overflow(Replies& replies) {
  if (!driver_ || best_.empty()) return stop(StopReason::diverged, replies);
  // A step or an evaluation may be using the model, beside this call.
  overflowed_ = step_under_way_ || evaluation_due_;
  if (overflowed_) return;
  driver_->overflow();
  go_back();
  // What was remembered on the way may be as large.
  if (options_.deals_samples) deal_again();
  if (driver_->hopeless()) give_up(StopReason::diverged, replies);
}

void Server::prefetch(const Push& push) const {
  model_->prefetch(push.keys);
  model_->prefetch(push.keys_next);
}

std::optional<Refusal> Server::reason_to_refuse(const Push& push, const PushCheck& check) {
  const Slot& worker = slot(push.id.worker);
  if (!worker.present || push.id.incarnation != worker.incarnation) return Refusal::fenced;
  if (push.id.sequence <= worker.last_sequence) return Refusal::duplicate;
  if (!worker.outstanding) return Refusal::duplicate;
  if (check.refusal) return check.refusal;
  if (options_.deals_samples && push.share.round != round_) return Refusal::stale;
  // Computed at a model from before a repeated pull, or too late for the bound.
  const bool expected = options_.any_version ? push.version <= k_ : push.version == worker.version;
  if (!expected) return Refusal::stale;
  if (!worker.guarded && !in_flight_.on_time_with(push.version, k_ + (step_under_way_ ? 1 : 0)))
    return Refusal::stale;
  return std::nullopt;
}

void Server::refuse(Push& push, Refusal refusal, const std::string& detail, Replies& replies) {
  ++ledger_.refused[static_cast<int>(refusal)];
  if (refusal == Refusal::duplicate && lacks_answer(push)) {
    Slot& worker = slot(push.id.worker);
    release(worker);
    worker.round = push.share.round;
    return wait(push.id.worker, worker.verdict,
                worker.verdict == Verdict::accepted ? push.keys_next : push.keys);
  }
  if (refusal == Refusal::fenced || refusal == Refusal::duplicate || refusal == Refusal::shape) {
    Reply& reply = replies.add(push.id.worker, Verdict::refused);
    reply.incarnation = push.id.incarnation;
    reply.sequence = push.id.sequence;
    reply.refusal = refusal;
    reply.detail = detail;
    return;
  }
  samples_received_ += push.num_samples;
  Slot& worker = slot(push.id.worker);
  worker.last_sequence = push.id.sequence;
  release(worker);
  worker.round = push.share.round;
  worker.refusal = refusal;
  wait(push.id.worker, Verdict::refused, push.keys);
  if (refusal == Refusal::stale) ++worker.refusals_stale;
  if (refusal == Refusal::nonfinite && ++worker.refusals_nonfinite > kNonfiniteRefusalsMax) {
    worker.refusals_nonfinite = 0;
    overflow(replies);
  }
}

bool Server::lacks_answer(const Push& push) {
  return push.repeated && push.id.sequence == slot(push.id.worker).last_sequence;
}

void Server::keep(Push& push) {
  Slot& worker = slot(push.id.worker);
  worker.last_sequence = push.id.sequence;
  worker.refusals_stale = worker.refusals_nonfinite = 0;
  release(worker);
  worker.round = push.share.round;
  worker.pushed_at = push.version;
  if (push.memory == MemoryChange::shard && std::exchange(worker.read, round_) != round_)
    ++shares_read_;
  in_flight_.add(push.version);
  wait(push.id.worker, Verdict::accepted, push.keys_next);

  std::unique_ptr<Push> arrived = unused_push(push.id.worker);
  std::swap(*arrived, push);
  const auto place = std::ranges::upper_bound(pending_, arrived->version, {}, &Push::version);
  pending_.insert(place, std::move(arrived));
  ++ledger_.pending;
}

// One that this worker filled before, if one is back: its memory is near that worker. No more are
// made than are in use at once.
std::unique_ptr<Push> Server::unused_push(int worker) {
  if (unused_.empty()) return std::make_unique<Push>();
  const auto own = std::ranges::find(unused_, worker, &Unused::worker);
  if (own != unused_.end()) std::swap(*own, unused_.back());
  std::unique_ptr<Push> push = std::move(unused_.back().push);
  unused_.pop_back();
  return push;
}

// The worker owes nothing any more.
void Server::release(Slot& slot) {
  if (slot.outstanding && slot.guarded) in_flight_.remove(slot.version);
  slot.outstanding = slot.guarded = false;
}

void Server::wait(int worker, Verdict verdict, Keys& keys_wanted) {
  Slot& waiting = slot(worker);
  waiting.verdict = verdict;
  std::swap(waiting.keys_wanted, keys_wanted);
  if (waiting.waiting) return;
  waiting.waiting = true;
  waiting_.push_back(worker);
}

bool Server::step_due() const {
  const std::size_t m = options_.pushes_per_step;
  if (stopped() || evaluation_due_ || step_under_way_ || pending_.size() < m) return false;
  versions_.clear();
  for (std::size_t i = 0; i < m; ++i) versions_.push_back(pending_[i]->version);
  return in_flight_.on_time_without(versions_, k_ + 1);
}

void Server::begin_step(std::optional<int> computed_by) {
  const auto end = pending_.begin() + options_.pushes_per_step;
  step_pushes_.assign(std::move_iterator(pending_.begin()), std::move_iterator(end));
  pending_.erase(pending_.begin(), end);
  for (const auto& applied : step_pushes_) in_flight_.remove(applied->version);
  step_under_way_ = true;
  computed_by_ = computed_by;
  step_round_ = round_;

  StepContext context = context_;
  context.k = k_;
  context.staleness_oldest = k_ - step_pushes_.front()->version;
  context.staleness = std::max(context_.staleness, context.staleness_oldest);
  if (driver_) context.boldness = driver_->boldness();
  eta_ = step_size_.eta(context);
  eta_max_ = std::max(eta_max_, eta_);
}

void Server::compute() {
  summands_.clear();
  for (const auto& applied : step_pushes_) summands_.push_back(applied.get());
  const StepDirection direction =
      model_->gather(summands_, static_cast<double>(options_.batch_size));
  const bool moves =
      !method_ || method_->direct({.pushes = summands_, .round = step_round_}, direction);
  model_->step(moves ? eta_ : 0);
}

void Server::finish_step(Replies& replies) {
  step_under_way_ = false;
  computed_by_.reset();
  replaced_ = false;
  const bool finite = model_->commit();
  if (method_ && step_round_ != round_) method_->forget();
  for (auto& applied : step_pushes_) {
    if (finite || driver_) {
      staleness_.add(k_ - applied->version);
      samples_applied_ += applied->num_samples;
    }
    const int worker = applied->id.worker;
    unused_.push_back({worker, std::move(applied)});
  }
  // The pushes of a step that could not be taken stay pending, if nothing comes after: they never
  // had an effect.
  if (!finite || overflowed_) {
    overflow(replies);
    if (stopped()) return;
  }
  ledger_.applied += options_.pushes_per_step;
  ledger_.pending -= options_.pushes_per_step;
  ++k_;
  if (options_.hash_steps) model_->add_last_step(steps_hash_);
  ensure(ledger_.balanced(), "received = applied + refused + pending does not hold");
  ensure(staleness_.max <= options_.staleness_max, "a gradient was older than the bound");
  evaluation_due_ = fallen_back_ || k_ == evaluation_next_;
}

void Server::proceed(Replies& replies) {
  while (step_due()) {
    begin_step();
    compute();
    finish_step(replies);
  }
  hand_out_models(replies);
}

bool Server::may_hand_out(const Slot& slot) const {
  if (static_cast<int>(pending_.size()) >= options_.pushes_per_step) return false;
  if (options_.staleness_policy == StalenessPolicy::hold)
    return in_flight_.has_room(step_under_way_);
  return slot.refusals_stale < options_.stale_refusals_max || in_flight_.has_room(step_under_way_);
}

void Server::hand_out_models(Replies& replies) {
  if (stopped()) {
    for (const int worker : waiting_) replies.add(worker, Verdict::stopped);
    for (const int worker : waiting_) slot(worker).waiting = false;
    return waiting_.clear();
  }
  if (evaluation_due_) return;
  for (auto place = waiting_.begin(); place != waiting_.end();) {
    const int worker = *place;
    if (worker == computed_by_ || awaits_next_step(slot(worker)) || awaits_others(slot(worker))) {
      ++place;
      continue;
    }
    if (!may_hand_out(slot(worker))) return;
    place = waiting_.erase(place);
    hand_out(worker, replies);
  }
}

bool Server::awaits_next_step(const Slot& slot) const {
  return options_.one_push_a_worker && slot.pushed_at == k_;
}

bool Server::awaits_others(const Slot& slot) const {
  return options_.deals_samples && slot.read == round_ && shares_read_ < shares_.front().of;
}

void Server::hand_out(int worker, Replies& replies) {
  Slot& receiver = slot(worker);
  receiver.waiting = false;
  receiver.outstanding = true;
  receiver.version = k_;
  receiver.guarded =
      !options_.any_version && (options_.staleness_policy == StalenessPolicy::hold ||
                                receiver.refusals_stale >= options_.stale_refusals_max);
  if (receiver.guarded) in_flight_.add(k_);
  Reply& reply = replies.add(worker, receiver.verdict);
  reply.incarnation = receiver.incarnation;
  reply.sequence = receiver.last_sequence;
  reply.refusal = receiver.refusal;
  reply.has_model = true;
  reply.model.version = k_;
  // Of a push that is to be made again the next draw has its turn already.
  if (receiver.verdict == Verdict::accepted) reply.turn = turn_next_++;
  std::swap(reply.model.keys, receiver.keys_wanted);
  if (options_.deals_samples) {
    reply.share = shares_[worker];
    // It will begin anew, with all its samples.
    if (receiver.round != round_) reply.model.keys = {};
  }
  model_->read(reply.model);
}

void Server::stop(StopReason reason, Replies& replies) {
  if (!stopped()) stop_reason_ = reason;
  hand_out_models(replies);
}

Server::Slot& Server::slot(int worker) {
  require(worker >= 0, "worker: expected a number of at least 0");
  if (static_cast<std::size_t>(worker) >= slots_.size()) slots_.resize(worker + 1);
  return slots_[worker];
}

}  // namespace asynprox
