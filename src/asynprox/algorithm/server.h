// The parameter server of Algorithm 1, with an enforced bound on staleness.
//
//   pull:       send x, with its version k
//   push(G_j):  keep it; once m are there: x <- prox_{eta h}(x - eta v), k <- k + 1
//
// v is what the method makes of the pushes: their mean G in Algorithm 1 (methods/method.h).
//
// It is made of parts, each with its own contract and its state as data:
//
//   Membership      which workers are there, and which of their messages count
//   WaitingList     who waits for a model, and what each is told with it
//   StalenessGate   which gradients are in flight, and who may compute another
//   SampleDealing   which samples, or which turn to draw, a worker has
//   PushStore       the pushes that wait for their step
//   StepJudge       what evaluations decide of steps to come, and of the end
//
// Pure: no thread, clock or file. The same calls in the same order give the same bits. Not safe to
// call from several threads at once; a runtime that has several holds a lock for each call, save
// for compute(), which touches nothing that other calls see.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "asynprox/algorithm/ledger.h"
#include "asynprox/algorithm/membership.h"
#include "asynprox/algorithm/messages.h"
#include "asynprox/algorithm/methods/any_method.h"
#include "asynprox/algorithm/model_state.h"
#include "asynprox/algorithm/push_check.h"
#include "asynprox/algorithm/push_store.h"
#include "asynprox/algorithm/sample_dealing.h"
#include "asynprox/algorithm/staleness.h"
#include "asynprox/algorithm/staleness_gate.h"
#include "asynprox/algorithm/step_judge.h"
#include "asynprox/algorithm/stopping.h"
#include "asynprox/algorithm/trace.h"
#include "asynprox/algorithm/waiting_list.h"
#include "asynprox/step_sizes/any_step_size.h"

namespace asynprox {

struct ServerOptions {
  int pushes_per_step = 1;         // m
  std::int64_t batch_size = 1;     // N, over all pushes of a step
  std::int64_t staleness_max = 4;  // T, enforced
  StalenessPolicy staleness_policy = StalenessPolicy::hold;

  // Synchronous: a worker that has pushed waits for the step, so that a step has one push of each.
  bool one_push_a_worker = false;

  // A slow worker could be refused for ever; after this many refusals the others wait for it.
  int stale_refusals_max = 2;

  // A push may be of any version, up to T steps old, whatever model its worker was handed: somebody
  // else decides on delays, and nothing is held back for them.
  bool any_version = false;

  // Keep a running hash of what steps write, to compare runs by.
  bool hash_steps = false;

  // Lengthen and shorten steps by what evaluations find (bold_driver.h).
  bool bold = false;

  // Where steps make no progress, the run goes on with evaluations alone, each of which finds a
  // better model (run_evaluator.h), instead of ending as stalled or diverged.
  bool falls_back = false;
  // The same after so many epochs without an end.
  double epochs_to_fallback = std::numeric_limits<double>::infinity();

  // The pushes of a whole pass over the samples, a multiple of m; 0: m stays as it is. Where noise
  // makes the objective rise, m becomes four times as large, up to this; evaluations are a pass
  // apart, so that a step of all of them is of a pass.
  int pushes_per_pass = 0;
  int pushes_max = 0;  // ... or this, where that many cannot wait at the server

  // Each sample belongs to one of these workers, 0, 1, ..., which remembers something of it. When
  // one of them is gone, or back, the samples are dealt anew.
  bool deals_samples = false;
  int workers = 1;  // each has a turn before the first is handed out
};

class Server {
 public:
  // `context` is what the step size may know of the problem; the server fills in k and staleness.
  // Without a `method` the direction is the mean of the pushes.
  Server(std::unique_ptr<ModelState> model, AnyStepSize step_size, StepContext context,
         const ServerOptions& options, Stopping stopping, EvaluationSchedule schedule,
         std::unique_ptr<AnyServerPart> method = nullptr);

  // Each fills `replies` with what is to be sent now: usually one, none while a worker is held,
  // several when they are released. A push gives its buffers away and gets used ones back.
  void receive(const Pull& pull, Replies& replies);
  void receive(Push& push, Replies& replies);

  // The worker is gone: it holds nobody up any longer, and what it still sends is fenced off until
  // it pulls again, in the same life or a new one.
  void leave(int worker, Replies& replies);

  // At a step where the model is to be evaluated the server waits for evaluated().
  bool evaluation_due() const { return judge_.evaluation_due() && !step_.under_way; }
  // `better`, where given, is a model that a search has found, with the objective told: steps go on
  // from there. Where steps are judged by evaluations and the objective rose, they go on from the
  // best model so far.
  void evaluated(const Evaluation& evaluation, Replies& replies, const Vector* better = nullptr);

  // Steps made no progress: the rest of the run is evaluations that look for better models.
  bool fallen_back() const { return judge_.fallen_back(); }

  void stop(StopReason reason, Replies& replies);

  // The same in parts: each of the above is one of these, then proceed().
  void accept(const Pull& pull, Replies& replies);
  std::optional<Refusal> accept(Push& push, const PushCheck& check, Replies& replies);
  void accept(const Evaluation& evaluation, Replies& replies, const Vector* better = nullptr);
  void dismiss(int worker);

  // Takes the steps that are due, then hands out the models that may be. For a runtime that wants
  // to compute outside its lock: a step is three calls.
  void proceed(Replies& replies);
  bool step_due() const;
  std::optional<int> step_computed_by() const { return step_.computed_by; }
  bool step_under_way() const { return step_.under_way; }
  // The worker that computes it, if one is named, is handed no model before the step is finished:
  // it could not use one earlier, and gets a newer one.
  void begin_step(std::optional<int> computed_by = std::nullopt);
  void compute();
  void finish_step(Replies& replies);
  void hand_out_models(Replies& replies);

  // What can be said of a push without looking at anything that changes; and a hint that it is
  // about to come. Both may be called beside anything.
  PushCheck check(const Push& push) const { return check_push(push, model_->dimension()); }
  void prefetch(const Push& push) const;
  std::optional<StopReason> stop_reason() const { return judge_.stop_reason(); }
  bool stopped() const { return judge_.stopped(); }
  const Stopping& stopping() const { return judge_.stopping(); }

  // For a run whose number of steps becomes known on the way.
  void set_horizon(std::int64_t steps) { context_.horizon = steps; }

  // The run had other limits up to here, where so many epochs were done.
  void change_limits_from(const StoppingRules& before, double epochs) {
    judge_.change_from(before, k_, epochs);
  }

  // Is the model another than the one that was evaluated last, at the same step?
  bool replaced() const { return step_.replaced; }

  std::int64_t version() const { return k_; }  // k, the number of steps taken
  Vector iterate() const { return model_->iterate(); }
  const Ledger& ledger() const { return books_.ledger; }
  const StalenessStatistics& staleness() const { return books_.staleness; }
  int pushes_per_step() const { return judge_.pushes_per_step(); }
  std::int64_t sample_gradients() const { return books_.samples_applied; }
  std::int64_t sample_gradients_received() const { return books_.samples_received; }
  double step_size_max() const { return books_.step_size_max; }

  // The parts, to be looked at: their state is data.
  const Membership& members() const { return members_; }
  const WaitingList& waiting() const { return waiting_; }
  const StalenessGate& gate() const { return gate_; }
  const SampleDealing& dealing() const { return dealing_; }
  const PushStore& pushes() const { return pushes_; }
  const StepJudge& judge() const { return judge_; }

  // What the method keeps; null for Algorithm 1.
  const AnyServerPart* method() const { return method_.get(); }

  // Of what every step so far has written, if options.hash_steps.
  std::uint64_t steps_hash() const { return books_.steps_hash.value(); }

  // All that changes during a run, while no step is under way: a server made in the same way goes on
  // from there.
  template <IsA<Server> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    require(!part.step_.under_way, "the state of a server is taken between its steps");
    visit("horizon", part.context_.horizon);
    visit("model", *part.model_);
    if (part.method_) visit("method", *part.method_);
    visit("members", part.members_);
    visit("waiting", part.waiting_);
    visit("gate", part.gate_);
    visit("dealing", part.dealing_);
    visit("pushes", part.pushes_);
    visit("judge", part.judge_);
    visit("replaced", part.step_.replaced);
    visit("k", part.k_);
    visit("books", part.books_);
  }

 private:
  // Of the step under way, and of the model it leads to.
  struct Step {
    bool under_way = false;
    std::optional<int> computed_by;  // the worker that it was said to be
    std::int64_t round = 0;          // of dealing, when it began
    double eta = 0;
    bool replaced = false;  // the model since its evaluation
  };

  std::optional<Refusal> reason_to_refuse(const Push& push, const PushCheck& check) const;
  void refuse(Push& push, Refusal refusal, const std::string& detail, Replies& replies);
  void keep(Push& push);
  WaitingList::Decision may_go(int worker) const;
  void hand_out(int worker, Replies& replies);
  // Without this worker's next push nothing is known of what it did.
  void release(int worker, const Share& share);
  void carry_out(const Ruling& ruling, Replies& replies);
  // What workers remembered is void.
  void forget();
  void count_step(bool finite);

  std::unique_ptr<ModelState> model_;
  std::unique_ptr<AnyServerPart> method_;
  AnyStepSize step_size_;
  StepContext context_;
  bool hash_steps_;

  Membership members_;
  WaitingList waiting_;
  StalenessGate gate_;
  SampleDealing dealing_;
  PushStore pushes_;
  StepJudge judge_;
  Step step_;
  std::int64_t k_ = 0;
  Books books_;
};

}  // namespace asynprox
