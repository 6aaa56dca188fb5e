#include "asynprox/algorithm/stopping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace asynprox {
namespace {

// A run that ends at this share of its epochs has had them.
constexpr double kEpochsShort = 0.9;

constexpr int kRisesMax = 8;

// Of the objective: a fall of less is rounding.
constexpr double kRounding = 1e-13;

// Of the objective at the start: as good as 0.
constexpr double kNothing = 1e-12;

// Of the tolerance: what the gradient mapping of a convex problem is to come to where steps end.
constexpr double kMappingAtEnd = 1e-2;

// Passes of the fallback below which slow progress may be that of its first steps.
constexpr std::int64_t kPassesToKnow = 200;

// That the fallback may expect to need.
constexpr double kPassesMost = 1e6;

// Of the tolerance: a relative fall in half of the passes that may end a run without a gap.
constexpr double kFallShare = 1e-2;

// A gap of more than this share of the objective says nothing.
constexpr double kUsefulGap = 0.5;

// What a limit on epochs means, if steps stay as they are at the start.
std::optional<std::int64_t> planned_steps(const StoppingRules& rules,
                                          const StoppingContext& context) {
  if (!rules.epochs) return std::nullopt;
  const double epochs_left = std::max(0.0, *rules.epochs - context.epochs_first);
  const double first = context.epochs_first > 0 && *rules.epochs > 0 ? 1 : 0;
  const double steps = first + std::ceil(epochs_left * context.steps_per_epoch);
  // More than can be counted is no limit.
  if (!(steps < 0x1p63)) return std::nullopt;
  return static_cast<std::int64_t>(steps);
}

// How often the number of passes is to double until `now`, which was `before` at half of them, is at
// most `target`.
double doublings(double before, double now, double target) {
  if (now <= target) return 0;
  const double rate = std::log(before / now);
  return rate > 0 ? std::log(now / target) / rate : std::numeric_limits<double>::infinity();
}

}  // namespace

std::string_view name(StopReason reason) {
  switch (reason) {
    case StopReason::converged: return "converged";
    case StopReason::stalled: return "stalled";
    case StopReason::step_limit: return "step_limit";
    case StopReason::epoch_limit: return "epoch_limit";
    case StopReason::time_limit: return "time_limit";
    case StopReason::diverged: return "diverged";
    case StopReason::interrupted: return "interrupted";
    case StopReason::stationary: return "stationary";
  }
  return "";
}

Stopping::Stopping(const StoppingRules& rules, const StoppingContext& context)
    : rules_(rules), context_(context) {
  if (!rules_.any()) rules_ = {.epochs = 50, .tolerance = 1e-4};
  steps_of_epochs_ = planned_steps(rules_, context_);
}

void Stopping::change_from(const StoppingRules& before, std::int64_t k, double epochs) {
  if (rules_.epochs == before.epochs) return;
  const bool as_planned = planned_steps(before, context_) == steps_of_epochs_;
  const double left = rules_.epochs.value_or(0) - epochs, was = before.epochs.value_or(0) - epochs;
  if (as_planned || !steps_of_epochs_ || !rules_.epochs || !before.epochs || !(left > 0) ||
      !(was > 0)) {
    steps_of_epochs_ = planned_steps(rules_, context_);
    return;
  }
  // Steps are no longer those of the plan: what is left becomes longer or shorter in proportion.
  const double steps = static_cast<double>(*steps_of_epochs_ - k) * left / was;
  steps_of_epochs_ = k + static_cast<std::int64_t>(std::clamp(std::ceil(steps), 0.0, 0x1p61));
}

std::optional<std::int64_t> Stopping::steps_max() const {
  if (!rules_.steps || !steps_of_epochs_) return rules_.steps ? rules_.steps : steps_of_epochs_;
  return std::min(*rules_.steps, *steps_of_epochs_);
}

void Stopping::enlarge_steps(std::int64_t k, int times) {
  if (steps_of_epochs_ && *steps_of_epochs_ > k)
    steps_of_epochs_ = k + (*steps_of_epochs_ - k) / times;
}

bool Stopping::within_tolerance(const Evaluation& evaluation) const {
  return evaluation.duality_gap && rules_.tolerance.value_or(0) > 0 &&
         *evaluation.duality_gap <= *rules_.tolerance * std::abs(evaluation.objective);
}

bool Stopping::as_good_as_zero(const Evaluation& evaluation) const {
  return context_.nonnegative && rules_.tolerance.value_or(0) > 0 &&
         evaluation.objective <= kNothing * evaluation.objective_at_start;
}

bool Stopping::is_minimum(const Evaluation& evaluation) {
  const bool within = within_tolerance(evaluation);
  as_good_as_zero_ = !within && as_good_as_zero(evaluation);
  return within || as_good_as_zero_;
}

bool Stopping::confirms(const Evaluation& final) const {
  const bool by_gap = final.duality_gap || context_.bounded;
  return !by_gap || within_tolerance(final) || as_good_as_zero(final);
}

std::optional<StopReason> Stopping::judge(const Evaluation& evaluation) {
  const std::optional<Evaluation> before = last_;
  last_ = evaluation;
  if (!first_) first_ = evaluation;
  if (!evaluation.has_objective) return judge_mapping(evaluation);
  if (evaluation.unbounded || !std::isfinite(evaluation.objective)) return StopReason::diverged;
  if (is_minimum(evaluation)) return StopReason::converged;
  if (before && evaluation.epochs > before->epochs) {
    const double change = std::abs(evaluation.objective - before->objective);
    change_ = change / std::abs(evaluation.objective) / (evaluation.epochs - before->epochs);
    // An objective of 0 that stays there makes 0 / 0.
    const bool quiet = change == 0 || (rules_.tolerance && change_ <= *rules_.tolerance / 10);
    quiet_evaluations_ = quiet ? quiet_evaluations_ + 1 : 0;
    // The change rule can be wrong by orders where progress is slow: a gap is a better judge, as
    // long as it moves.
    const bool gap_moves = evaluation.duality_gap && before->duality_gap &&
                           *evaluation.duality_gap < 0.99 * *before->duality_gap;
    const bool still = change == 0 || (rules_.tolerance && change_ <= *rules_.tolerance / 1000);
    still_evaluations_ = still && !gap_moves ? still_evaluations_ + 1 : 0;
    if (!still) rises_ = 0;
    const bool critical_here =
        !context_.falls_back && rules_.tolerance &&
        evaluation.gradient_mapping <= *rules_.tolerance * first_->gradient_mapping;
    const bool by_gap = evaluation.duality_gap || context_.bounded;
    if (rules_.tolerance && by_gap && still_evaluations_ >= 3) {
      // A bound that says nothing does not speak against the gradient mapping, unless a better one exists.
      const bool useful = context_.bounded ||
                          *evaluation.duality_gap <= kUsefulGap * std::abs(evaluation.objective);
      return critical_here && !useful ? StopReason::stationary : StopReason::stalled;
    }
    const bool no_gap = !by_gap && !evaluation.gap_skipped;
    if (rules_.tolerance && no_gap && quiet_evaluations_ >= 2)
      return critical_here ? critical() : StopReason::stalled;
  }
  return limit_reached(evaluation);
}

std::optional<StopReason> Stopping::judge_mapping(const Evaluation& evaluation) {
  if (!std::isfinite(evaluation.gradient_mapping)) return StopReason::diverged;
  const bool small = rules_.tolerance &&
                     evaluation.gradient_mapping <= *rules_.tolerance * first_->gradient_mapping;
  quiet_evaluations_ = small ? quiet_evaluations_ + 1 : 0;
  if (quiet_evaluations_ >= 2) return StopReason::stationary;
  return limit_reached(evaluation);
}

double Stopping::fell_in_half_the_passes(const Evaluation& evaluation) const {
  if (evaluation.fallback_passes < kPassesToKnow) return std::numeric_limits<double>::infinity();
  return fallback_at(evaluation.fallback_passes / 2).objective - evaluation.objective;
}

const Stopping::FallbackPoint& Stopping::fallback_at(std::int64_t passes) const {
  const auto above = std::ranges::upper_bound(fallback_, passes, {}, &FallbackPoint::passes);
  return above == fallback_.begin() ? fallback_.front() : *std::prev(above);
}

double Stopping::passes_expected(const Evaluation& evaluation) const {
  const double tolerance = *rules_.tolerance, size = std::abs(evaluation.objective);
  const FallbackPoint &half = fallback_at(evaluation.fallback_passes / 2),
                      &quarter = fallback_at(evaluation.fallback_passes / 4);
  double times = std::numeric_limits<double>::infinity();
  if (evaluation.duality_gap) {
    // One that is new has no rate yet.
    times = std::isfinite(half.gap) ? doublings(half.gap, *evaluation.duality_gap, tolerance * size)
                                    : 0;
  } else if (!context_.bounded) {
    const double fell = (half.objective - evaluation.objective) / size;
    const double before = (quarter.objective - half.objective) / std::abs(half.objective);
    times = std::max(doublings(before, fell, kFallShare * tolerance),
                     doublings(half.mapping, evaluation.fallback_mapping, tolerance));
  }
  if (context_.nonnegative && first_)
    times = std::min(times,
                     doublings(half.objective, evaluation.objective, kNothing * first_->objective));
  return static_cast<double>(evaluation.fallback_passes) * std::exp2(times);
}

bool Stopping::is_too_slow(const Evaluation& evaluation) const {
  const bool limited = rules_.steps || rules_.epochs || rules_.seconds;
  if (limited || !(rules_.tolerance.value_or(0) > 0)) return false;
  return evaluation.fallback_passes >= context_.passes_to_expect &&
         passes_expected(evaluation) > kPassesMost;
}

std::optional<StopReason> Stopping::judge_fallback(const Evaluation& evaluation) {
  const Evaluation before = last_.value_or(evaluation);
  last_ = evaluation;
  if (evaluation.unbounded || !std::isfinite(evaluation.objective)) return StopReason::diverged;
  if (is_minimum(evaluation)) return StopReason::converged;
  fallback_.push_back({evaluation.fallback_passes, evaluation.objective,
                       evaluation.duality_gap.value_or(std::numeric_limits<double>::infinity()),
                       evaluation.fallback_mapping});
  const double tolerance = rules_.tolerance.value_or(0), size = std::abs(evaluation.objective);
  const double fell = before.objective - evaluation.objective;
  const double epochs = std::max(1.0, evaluation.epochs - before.epochs);
  change_ = size > 0 ? std::abs(fell) / size / epochs : 0;
  const bool judged_by_mapping = !evaluation.duality_gap && !context_.bounded && tolerance > 0;
  if (judged_by_mapping) {
    // Newton's method, where it can be used, knows of directions in which a convex f is nearly
    // flat; else it takes many passes to know.
    const bool flat = evaluation.settled || !context_.convex
                          ? fell <= tolerance / 10 * size
                          : fell_in_half_the_passes(evaluation) <= kFallShare * tolerance * size;
    if (evaluation.fallback_mapping <= tolerance && flat) return critical();
  }
  if (const auto limit = limit_reached(evaluation)) return limit;
  const bool gap_moves = evaluation.duality_gap && before.duality_gap &&
                         *evaluation.duality_gap < 0.99 * *before.duality_gap;
  too_slow_ = is_too_slow(evaluation);
  if (too_slow_) return StopReason::stalled;
  // One that was cut short by a limit of time, before a pass, tells nothing.
  if (evaluation.cut_short) return std::nullopt;
  const bool still = !(fell > kRounding * size) && !gap_moves;
  still_evaluations_ = still && before.of_fallback ? still_evaluations_ + 1 : 0;
  if (still_evaluations_ < (evaluation.exhausted ? 1 : 3)) return std::nullopt;
  // Rounding may hide a slow descent, so that a convex problem needs more.
  const double at_end = context_.convex ? kMappingAtEnd * tolerance : tolerance;
  const bool ended = judged_by_mapping && evaluation.fallback_mapping <= at_end;
  return ended ? critical() : StopReason::stalled;
}

std::optional<StopReason> Stopping::judge_rise(const Evaluation& evaluation) {
  if (rules_.tolerance && ++rises_ >= kRisesMax) return StopReason::stalled;
  return limit_reached(evaluation);
}

void Stopping::count_searches(const Evaluation& evaluation) {
  const double searched =
      evaluation.epochs_searched - std::exchange(epochs_searched_, evaluation.epochs_searched);
  if (!(searched > 0) || !steps_of_epochs_ || *steps_of_epochs_ <= evaluation.steps) return;
  const double left = *rules_.epochs - evaluation.epochs;
  const auto steps = static_cast<double>(*steps_of_epochs_ - evaluation.steps);
  steps_of_epochs_ =
      evaluation.steps + static_cast<std::int64_t>(std::ceil(steps * left / (left + searched)));
}

std::optional<StopReason> Stopping::limit_reached(const Evaluation& evaluation) {
  // A pass of the fallback is a step too.
  if (rules_.steps && evaluation.steps + evaluation.fallback_passes >= *rules_.steps)
    return StopReason::step_limit;
  if (!rules_.epochs) return std::nullopt;
  if (evaluation.epochs + evaluation.epochs_next >= *rules_.epochs) return StopReason::epoch_limit;
  count_searches(evaluation);
  if (!steps_of_epochs_ || evaluation.steps < *steps_of_epochs_) return std::nullopt;
  // So many steps were to be as many epochs. Where they were cheaper by far, there are some left.
  if (evaluation.epochs > kEpochsShort * *rules_.epochs || evaluation.epochs == 0)
    return StopReason::epoch_limit;
  const double steps = static_cast<double>(evaluation.steps) * *rules_.epochs / evaluation.epochs;
  steps_of_epochs_ = static_cast<std::int64_t>(std::min(std::ceil(steps), 0x1p62));
  return std::nullopt;
}

std::string Stopping::converged_detail(const Evaluation& last) const {
  if (as_good_as_zero_)
    return fmt::format(
        "the objective cannot be negative, and has fallen to at most 1e-12 of its value at the "
        "start{}",
        last.duality_gap ? "; its duality gap, relative to what is left of it, is no measure then"
                         : "");
  if (last.duality_gap)
    return fmt::format("the objective is at most {:.1e} above its minimum, {:.1e} of it",
                       *last.duality_gap, *last.duality_gap / std::abs(last.objective));
  if (last.of_fallback && last.settled)
    return "Newton's method expects to gain next to nothing; no bound on the error is known for "
           "this problem";
  return "the gradient mapping and the changes of the objective are within the tolerance; no bound "
         "on the error is known for this problem";
}

std::string Stopping::stalled_detail(const Evaluation& last) const {
  const std::string found = "the model is the best one found so far";
  const std::optional<double> gap =
      last.duality_gap ? std::optional(*last.duality_gap / std::abs(last.objective)) : std::nullopt;
  const std::string bound = !gap ? "no bound on its error is known"
                            : *gap > kUsefulGap
                                ? "there is no useful bound on its error"
                                : fmt::format("its relative duality gap is {:.1e}", *gap);
  if (last_ && within_tolerance(*last_) && !within_tolerance(last))
    return fmt::format(
        "not converged: the last evaluation does not agree with the one that ended the run; {}, "
        "and {}",
        found, bound);
  if (too_slow_)
    return fmt::format(
        "not converged: as fast as in its last {} passes over the data the run would need over a "
        "million, as where columns depend on each other or differ in size by orders; {}, and {}",
        last_->fallback_passes / 2, found, bound);
  if (last.of_fallback)
    return fmt::format(
        "not converged: passes over the data gain no more than rounding, as where columns depend "
        "on each other or differ in size by orders; {}, and {}",
        found, bound);
  if (rises_ >= kRisesMax)
    return fmt::format(
        "not converged: no significant progress after {} rejected models; {}, and {}", rises_,
        found, bound);
  return fmt::format(
      "not converged: the objective hardly changes any more ({:.1e} per epoch, "
      "relative), which proves nothing; {}",
      change_, bound);
}

std::string Stopping::limit_detail(const Evaluation& last, const std::string& limit) const {
  // Without a tolerance there is nothing that the run could have failed to meet.
  const bool missed = rules_.tolerance.value_or(0) > 0 && !within_tolerance(last);
  const std::string gap = last.duality_gap
                              ? fmt::format("the relative duality gap is {:.1e}, and ",
                                            *last.duality_gap / std::abs(last.objective))
                              : "";
  const std::string reached =
      last.has_objective ? fmt::format("relative change of the objective per epoch: {:.1e}",
                                       std::isfinite(change_) ? change_ : 0)
                         : fmt::format("gradient mapping: {:.1e}", last.gradient_mapping);
  return fmt::format("{}{}the run ended at its limit on {} ({})", missed ? "not converged: " : "",
                     gap, limit, reached);
}

std::string Stopping::detail(StopReason reason, const std::optional<Evaluation>& final) const {
  const Evaluation last = final.value_or(last_.value_or(Evaluation()));
  switch (reason) {
    case StopReason::converged: return converged_detail(last);
    case StopReason::stationary:
      return "the gradient mapping is within the tolerance of its value at the start: a critical "
             "point, which need not be a global minimum";
    case StopReason::stalled: return stalled_detail(last);
    case StopReason::step_limit: return limit_detail(last, fmt::format("steps, {}", *rules_.steps));
    case StopReason::epoch_limit:
      return limit_detail(last, fmt::format("epochs, {}", *rules_.epochs));
    case StopReason::time_limit:
      return limit_detail(last, fmt::format("seconds, {}", rules_.seconds.value_or(0)));
    case StopReason::diverged:
      if (last.unbounded || last_.value_or(last).unbounded)
        return "the objective is unbounded below; add a constraint, such as --regularizer "
               "nonneg-ball:1, or a stronger penalty";
      return "no model better than the start was found, or the numbers became infinite";
    case StopReason::interrupted:
      return "somebody asked for it; the model is the best one found so far";
  }
  return "";
}

}  // namespace asynprox
