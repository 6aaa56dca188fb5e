// What evaluations decide: how long and how large steps are, whether they go on from the newest model or
// from the best one so far, when the model is evaluated next, and when the run falls back or ends.
//
//   the objective fell     the model is the best so far; steps become longer (bold_driver.h)
//   it rose                back to the best; steps become shorter, or batches larger where that helps
//   numbers overflowed     back to the best, with much shorter steps; what workers remember is void
//   no progress            the run ends as "stalled", or falls back: then it goes on by evaluations
//                          alone, each of which looks for a better model, and there are no steps
//
// Steps are judged if `bold`; else an evaluation can only end the run. The judge has no model: it answers
// by a Ruling, which the server carries out.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "asynprox/algorithm/bold_driver.h"
#include "asynprox/algorithm/stopping.h"
#include "asynprox/algorithm/trace.h"
#include "asynprox/base/fields.h"
#include "asynprox/linalg/vectors.h"

namespace asynprox {

struct JudgeOptions {
  bool bold = false;
  bool falls_back = false;
  double epochs_to_fallback = std::numeric_limits<double>::infinity();
  int pushes_per_step = 1;      // m, at first
  std::int64_t batch_size = 1;  // N, at first
  int pushes_per_pass = 0;      // see ServerOptions
  int pushes_max = 0;
};

// What is to be done, in this order.
struct Ruling {
  bool keep = false;      // the model is the best so far: keep() it
  bool go_back = false;   // to the best so far
  bool enlarged = false;  // a step has more pushes from now on
  bool forget = false;    // what workers remember may be as large as what overflowed
  std::optional<StopReason> stop = {};
};

class StepJudge {
 public:
  struct State {
    std::optional<BoldDriver> driver = {};  // if steps are judged
    Vector best = {};                       // the model of the lowest objective, if they are
    bool overflowed = false;  // while a step or an evaluation was under way: go back after it
    bool fallen_back = false;
    bool evaluation_due = true;  // of the first model
    std::int64_t evaluation_next = 0;
    int pushes_per_step = 1, pushes_max = 0;
    std::int64_t batch_size = 1;
    std::optional<StopReason> stop_reason = {};
    Stopping stopping;
  };

  StepJudge(const JudgeOptions& options, Stopping stopping, EvaluationSchedule schedule);

  const State& state() const { return state_; }
  template <IsA<StepJudge> Part>
  friend void visit_fields(Part& part, auto&& visit) {
    visit("state", part.state_);
  }

  bool judges() const { return state_.driver.has_value(); }
  int pushes_per_step() const { return state_.pushes_per_step; }
  std::int64_t batch_size() const { return state_.batch_size; }
  std::optional<double> boldness() const;
  bool evaluation_due() const { return state_.evaluation_due; }
  bool fallen_back() const { return state_.fallen_back; }
  bool overflowed() const { return state_.overflowed; }
  std::optional<StopReason> stop_reason() const { return state_.stop_reason; }
  bool stopped() const { return state_.stop_reason.has_value(); }
  const Stopping& stopping() const { return state_.stopping; }

  // The evaluation that was due is over, at step k.
  void end_evaluation() { state_.evaluation_due = false; }
  Ruling judge(const Evaluation& evaluation, std::int64_t k);
  // The numbers became infinite. While a step or an evaluation uses the model that is only noted.
  Ruling overflow(bool step_under_way);
  // Now k steps are done.
  void step_taken(std::int64_t k) {
    state_.evaluation_due = state_.fallen_back || k == state_.evaluation_next;
  }
  // The first reason counts.
  void stop(StopReason reason) {
    if (!stopped()) state_.stop_reason = reason;
  }

  // The run goes on under other rules: see Stopping::change_from().
  void change_from(const StoppingRules& before, std::int64_t k, double epochs);

  void keep(Vector best) { state_.best = std::move(best); }
  const Vector& best() const { return state_.best; }

 private:
  Ruling judge_fallback(const Evaluation& evaluation);
  // Steps lead no further: the run falls back, or ends with this reason.
  Ruling give_up(StopReason reason, Ruling ruling);
  Ruling go_back_from_overflow(Ruling ruling);
  bool has_best(const Ruling& ruling) const { return ruling.keep || !state_.best.empty(); }
  std::int64_t next_evaluation(std::int64_t k) const;
  // Lets a step have about four times as many pushes. False: it must not.
  bool enlarge_steps(std::int64_t k);

  JudgeOptions options_;
  EvaluationSchedule schedule_;
  State state_;
};

template <IsA<StepJudge::State> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("driver", part.driver);
  visit("best", part.best);
  visit("overflowed", part.overflowed);
  visit("fallen_back", part.fallen_back);
  visit("evaluation_due", part.evaluation_due);
  visit("evaluation_next", part.evaluation_next);
  visit("pushes_per_step", part.pushes_per_step);
  visit("pushes_max", part.pushes_max);
  visit("batch_size", part.batch_size);
  visit("stop_reason", part.stop_reason);
  visit("stopping", part.stopping);
}

}  // namespace asynprox
