#include "asynprox/algorithm/stopping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace asynprox {
namespace {

// A run that ends at this share of its epochs has had them.
constexpr double kEpochsShort = 0.9;

constexpr int kRisesMax = 8;

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
  }
  return "";
}

Stopping::Stopping(const StoppingRules& rules, double steps_per_epoch, double epochs_first)
    : rules_(rules) {
  if (!rules_.any()) rules_ = {.epochs = 50, .tolerance = 1e-4};
  if (!rules_.epochs) return;
  const double epochs_left = std::max(0.0, *rules_.epochs - epochs_first);
  const double first = epochs_first > 0 && *rules_.epochs > 0 ? 1 : 0;
  const double steps = first + std::ceil(epochs_left * steps_per_epoch);
  // More than can be counted is no limit.
  if (steps < 0x1p63) steps_of_epochs_ = static_cast<std::int64_t>(steps);
}

std::optional<std::int64_t> Stopping::steps_max() const {
  if (!rules_.steps || !steps_of_epochs_) return rules_.steps ? rules_.steps : steps_of_epochs_;
  return std::min(*rules_.steps, *steps_of_epochs_);
}

void Stopping::enlarge_steps(std::int64_t k, int times) {
  if (steps_of_epochs_ && *steps_of_epochs_ > k)
    steps_of_epochs_ = k + (*steps_of_epochs_ - k) / times;
}

std::optional<StopReason> Stopping::judge(const Evaluation& evaluation) {
  const std::optional<Evaluation> before = last_;
  last_ = evaluation;
  if (!std::isfinite(evaluation.objective)) return StopReason::diverged;
  if (evaluation.duality_gap && rules_.tolerance &&
      *evaluation.duality_gap <= *rules_.tolerance * std::abs(evaluation.objective))
    return StopReason::converged;
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
    if (rules_.tolerance && evaluation.duality_gap && still_evaluations_ >= 3)
      return StopReason::stalled;
    const bool no_gap = !evaluation.duality_gap && !evaluation.gap_skipped;
    if (rules_.tolerance && no_gap && quiet_evaluations_ >= 2) return StopReason::stalled;
  }
  return limit_reached(evaluation);
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
  if (rules_.steps && evaluation.steps >= *rules_.steps) return StopReason::step_limit;
  if (!rules_.epochs) return std::nullopt;
  if (evaluation.epochs >= *rules_.epochs) return StopReason::epoch_limit;
  count_searches(evaluation);
  if (!steps_of_epochs_ || evaluation.steps < *steps_of_epochs_) return std::nullopt;
  // So many steps were to be as many epochs. Where they were cheaper by far, there are some left.
  if (evaluation.epochs > kEpochsShort * *rules_.epochs || evaluation.epochs == 0)
    return StopReason::epoch_limit;
  const double steps = static_cast<double>(evaluation.steps) * *rules_.epochs / evaluation.epochs;
  steps_of_epochs_ = static_cast<std::int64_t>(std::min(std::ceil(steps), 0x1p62));
  return std::nullopt;
}

std::string Stopping::detail(StopReason reason) const {
  const double change = std::isfinite(change_) ? change_ : 0;
  const std::string gap = last_ && last_->duality_gap
                              ? fmt::format("duality gap: {:.1e} of the objective, ",
                                            *last_->duality_gap / std::abs(last_->objective))
                              : "";
  const std::string figures = fmt::format("{}relative change an epoch: {:.1e}", gap, change);
  switch (reason) {
    case StopReason::converged:
      return fmt::format("the objective is at most {:.1e} above its minimum, {:.1e} of it",
                         *last_->duality_gap, *last_->duality_gap / std::abs(last_->objective));
    case StopReason::stalled:
      if (rises_ >= kRisesMax)
        return fmt::format(
            "the objective rose {} times since it last fell by much; {}the model is the best",
            rises_, gap);
      return fmt::format("the objective hardly changes any more, {}, {} at most {:.1e}", figures,
                         gap.empty() ? "twice" : "three times",
                         rules_.tolerance.value_or(0) / (gap.empty() ? 10 : 1000));
    case StopReason::step_limit:
      return fmt::format("not converged: the limit on steps, {}, came first; {}", *rules_.steps,
                         figures);
    case StopReason::epoch_limit:
      return fmt::format("not converged: the limit on epochs, {}, came first; {}", *rules_.epochs,
                         figures);
    case StopReason::time_limit:
      return fmt::format("not converged: the limit on seconds, {}, came first; {}",
                         rules_.seconds.value_or(0), figures);
    case StopReason::diverged:
      return "the numbers became infinite; the last finite model is kept; try a smaller step";
    case StopReason::interrupted:
      return "somebody asked for it; the model is the one learnt so far";
  }
  return "";
}

}  // namespace asynprox
