// The parameter server of Algorithm 1, with an enforced bound on staleness.
//
//   pull:       send x, with its version k
//   push(G_j):  keep it; once m are there: x <- prox_{eta h}(x - eta v), k <- k + 1
//
// v is what the method makes of the pushes: their mean G in Algorithm 1 (methods/method.h).
//
// Pure: no thread, clock or file. The same calls in the same order give the same bits. Not safe to
// call from several threads at once; a runtime that has several holds a lock for each call, save
// for compute(), which touches nothing that other calls see.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "asynprox/algorithm/bold_driver.h"
#include "asynprox/algorithm/ledger.h"
#include "asynprox/algorithm/messages.h"
#include "asynprox/algorithm/methods/any_method.h"
#include "asynprox/algorithm/model_state.h"
#include "asynprox/algorithm/push_check.h"
#include "asynprox/algorithm/staleness.h"
#include "asynprox/algorithm/stopping.h"
#include "asynprox/algorithm/trace.h"
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
  // better model (Monitor), instead of ending as stalled or diverged.
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
  bool evaluation_due() const { return evaluation_due_ && !step_under_way_; }
  // `better`, where given, is a model that a search has found, with the objective told: steps go on
  // from there. Where steps are judged by evaluations and the objective rose, they go on from the
  // best model so far.
  void evaluated(const Evaluation& evaluation, Replies& replies, const Vector* better = nullptr);

  // Steps made no progress: the rest of the run is evaluations that look for better models.
  bool fallen_back() const { return fallen_back_; }

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
  bool step_under_way() const { return step_under_way_; }
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
  std::optional<StopReason> stop_reason() const { return stop_reason_; }
  bool stopped() const { return stop_reason_.has_value(); }
  const Stopping& stopping() const { return stopping_; }

  // For a run whose number of steps becomes known on the way.
  void set_horizon(std::int64_t steps) { context_.horizon = steps; }

  // Is the model another than the one that was evaluated last, at the same step?
  bool replaced() const { return replaced_; }

  std::int64_t version() const { return k_; }  // k, the number of steps taken
  Vector iterate() const { return model_->iterate(); }
  const Ledger& ledger() const { return ledger_; }
  const StalenessStatistics& staleness() const { return staleness_; }
  int pushes_per_step() const { return options_.pushes_per_step; }
  std::int64_t sample_gradients() const { return samples_applied_; }
  std::int64_t sample_gradients_received() const { return samples_received_; }
  double step_size_max() const { return eta_max_; }

  // What the method keeps; null for Algorithm 1.
  const AnyServerPart* method() const { return method_.get(); }

  // Of what every step so far has written, if options.hash_steps.
  std::uint64_t steps_hash() const { return steps_hash_.value(); }

 private:
  friend struct ServerProbe;  // the exhaustive test tells states apart by their insides

  // What the server knows of a worker.
  struct Slot {
    bool present = false;            // it has pulled, and not left since
    int incarnation = -1;            // none yet
    std::int64_t last_sequence = 0;  // the newest push received
    bool outstanding = false;        // it holds a model and owes a push
    bool guarded = false;            // that push is in in_flight_: it will not be refused as stale
    std::int64_t version = 0;        // of the model it holds
    int refusals_stale = 0;          // running
    int refusals_nonfinite = 0;      // running
    bool waiting = false;            // for a model
    Verdict verdict = Verdict::accepted;  // to go with the model it waits for
    Refusal refusal = Refusal::stale;
    std::int64_t pushed_at = -1;  // the version of its last push that was accepted
    Keys keys_wanted;
    bool dealt = false;      // it has a share of the samples
    std::int64_t round = 0;  // of the share it knows, as it said: a reply may be lost on its way
    std::int64_t read = -1;  // the last round in which it has read all its samples
  };
  // Who filled it last stands beside it, so that the push itself is not touched for that.
  struct Unused {
    int worker = 0;
    std::unique_ptr<Push> push;
  };

  Slot& slot(int worker);
  std::optional<Refusal> reason_to_refuse(const Push& push, const PushCheck& check);
  void refuse(Push& push, Refusal refusal, const std::string& detail, Replies& replies);
  // Does the sender of this duplicate still wait for the answer to it?
  bool lacks_answer(const Push& push);
  void keep(Push& push);
  std::unique_ptr<Push> unused_push(int worker);
  void release(Slot& slot);
  void wait(int worker, Verdict verdict, Keys& keys_wanted);
  bool awaits_next_step(const Slot& slot) const;
  // It has read its samples, and others have not yet: there is nothing to step along.
  bool awaits_others(const Slot& slot) const;
  bool may_hand_out(const Slot& slot) const;
  void hand_out(int worker, Replies& replies);

  std::int64_t next_evaluation() const;
  bool may_enlarge_steps() const;
  void enlarge_steps();

  // Takes the best model so far instead of the current one.
  void go_back();
  // The numbers became infinite: go back, or give up.
  void overflow(Replies& replies);
  // Steps lead no further: the run falls back, or ends with this reason.
  void give_up(StopReason reason, Replies& replies);
  void accept_fallback(const Evaluation& evaluation, Replies& replies);

  // The samples are shared out among those who are there, and all that was remembered is void.
  void deal(int worker, bool takes_part);
  void deal_again();

  std::unique_ptr<ModelState> model_;
  std::unique_ptr<AnyServerPart> method_;
  AnyStepSize step_size_;
  StepContext context_;
  ServerOptions options_;
  Stopping stopping_;
  EvaluationSchedule schedule_;

  std::int64_t k_ = 0;
  std::vector<Slot> slots_;                     // by worker
  std::vector<Share> shares_;                   // the same, where samples are dealt
  std::int64_t round_ = 0;                      // of dealing
  int shares_read_ = 0;                         // in this round
  std::int64_t turn_next_ = 0;                  // of those to be handed out
  std::deque<int> waiting_;                     // workers, first come first served
  std::vector<std::unique_ptr<Push>> pending_;  // oldest first: by (version, arrival)
  std::vector<Unused> unused_;                  // buffers to use again
  InFlight in_flight_;

  bool step_under_way_ = false;
  std::optional<int> computed_by_;  // the worker that it was said to be
  std::int64_t step_round_ = 0;
  std::vector<std::unique_ptr<Push>> step_pushes_;  // of the step under way
  std::vector<const Push*> summands_;               // the same, for compute()
  mutable std::vector<std::int64_t> versions_;      // scratch of step_due()
  double eta_ = 0, eta_max_ = 0;
  Hash steps_hash_;

  std::optional<BoldDriver> driver_;
  Vector best_;              // the model of the lowest objective, if there is a driver
  bool replaced_ = false;    // the model since its evaluation
  bool overflowed_ = false;  // while a step or an evaluation was under way: go back after it
  bool fallen_back_ = false;

  std::int64_t evaluation_next_ = 0;
  bool evaluation_due_ = true;  // of the first model
  std::optional<StopReason> stop_reason_;

  Ledger ledger_;
  StalenessStatistics staleness_;
  std::int64_t samples_applied_ = 0, samples_received_ = 0;
};

}  // namespace asynprox
