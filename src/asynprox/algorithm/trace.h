// What is known of the model at the steps where it is evaluated.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "asynprox/base/fields.h"

namespace asynprox {

struct Evaluation {
  double seconds = 0;  // of the run, without the evaluations
  std::int64_t steps = 0;
  std::int64_t sample_gradients = 0;  // applied, or read by a search (run_evaluator.h)
  double epochs = 0;                  // sample_gradients / n
  double epochs_searched = 0;         // of them, those that searches have read
  bool has_objective = true;          // false: f has no value, and these are NaN but for h
  double loss_value = 0;
  double regularizer_value = 0;
  double objective = 0;
  double gradient_mapping = 0;      // |P| at the reference step
  double gradient_mapping_own = 0;  // |P| at the run's own, constant step, where that is asked for
  std::int64_t nonzeros = 0;        // of the coefficients, not of intercepts
  std::int64_t staleness_max = 0;
  // How far the objective can be above its minimum, where that is known and was asked for.
  std::optional<double> duality_gap = {};
  bool gap_skipped = false;  // it was not asked for here, because it could not have ended the run
  bool unbounded = false;    // the objective falls without limit (falls_without_limit.h)
  // Of an evaluation of the fallback (fista_search.h), beside the objective it came to:
  bool of_fallback = false;
  bool exhausted = false;       // the objective falls no further than rounding lets it
  bool settled = false;         // Newton's method expects to gain next to nothing
  double fallback_mapping = 0;  // the gradient mapping in its own metric, over that at the start
  std::int64_t fallback_passes = 0;  // over the data, in all of its evaluations so far
  double objective_at_start = 0;     // the loss there or at zero, with the best intercept
  // By a limit of time, or while it looks for the length of a step: it does not tell what is left.
  bool cut_short = false;
  double epochs_next = 0;  // that its next pass will cost, at least
  // Names of the refinements that found a better model here (refinements/all.h).
  std::vector<std::string_view> refined_by = {};
};

using Trace = std::vector<Evaluation>;

template <IsA<Evaluation> Part>
void visit_fields(Part& part, auto&& visit) {
  visit("seconds", part.seconds);
  visit("steps", part.steps);
  visit("sample_gradients", part.sample_gradients);
  visit("epochs", part.epochs);
  visit("epochs_searched", part.epochs_searched);
  visit("has_objective", part.has_objective);
  visit("loss_value", part.loss_value);
  visit("regularizer_value", part.regularizer_value);
  visit("objective", part.objective);
  visit("gradient_mapping", part.gradient_mapping);
  visit("gradient_mapping_own", part.gradient_mapping_own);
  visit("nonzeros", part.nonzeros);
  visit("staleness_max", part.staleness_max);
  visit("duality_gap", part.duality_gap);
  visit("gap_skipped", part.gap_skipped);
  visit("unbounded", part.unbounded);
  visit("of_fallback", part.of_fallback);
  visit("exhausted", part.exhausted);
  visit("settled", part.settled);
  visit("fallback_mapping", part.fallback_mapping);
  visit("fallback_passes", part.fallback_passes);
  visit("objective_at_start", part.objective_at_start);
  visit("cut_short", part.cut_short);
  visit("epochs_next", part.epochs_next);
  visit("refined_by", part.refined_by);
}

// How far a run has come, between evaluations too.
struct Progress {
  double seconds = 0;  // of the run, without the evaluations
  std::int64_t steps = 0;
  std::int64_t sample_gradients = 0;  // applied, or read by a search
  double epochs = 0;
  bool has_objective = true;  // false: f has no value
  double objective = 0;       // at the last evaluation
  std::int64_t nonzeros = 0;  // the same
  double staleness_mean = 0;
  std::int64_t staleness_max = 0;
  double sample_gradients_per_second = 0;
  std::optional<double> seconds_left = {};  // to the first limit, where there is one
};

// When to evaluate: at step 0, then every so many steps, or at epochs 1, 2, 3, 5, 8, 13, ..., or
// often, for steps that are judged by it: at half an epoch, maybe once before, then 1.3 times as
// long after the last, up to two epochs.
class EvaluationSchedule {
 public:
  static EvaluationSchedule every(std::int64_t steps) { return EvaluationSchedule(steps, 0); }
  static EvaluationSchedule at_growing_epochs(double steps_per_epoch) {
    return EvaluationSchedule(0, steps_per_epoch);
  }

  // `first`, above 0: the part of an epoch after which the first one comes.
  static EvaluationSchedule often(double steps_per_epoch, double first = 0.5) {
    return EvaluationSchedule(0, steps_per_epoch, first);
  }

  // The first step after k at which to evaluate.
  std::int64_t next_after(std::int64_t k) const;

 private:
  EvaluationSchedule(std::int64_t every, double steps_per_epoch, double first = 0)
      : every_(every), steps_per_epoch_(steps_per_epoch), first_(first) {}

  std::int64_t next_often(std::int64_t k) const;

  std::int64_t every_;
  double steps_per_epoch_;
  double first_;  // of those that come often; 0: they do not
};

}  // namespace asynprox
