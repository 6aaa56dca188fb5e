// The evaluations of a run that has fallen back: FISTA steps, and the bound on the error where it is
// what stays behind.
#include <cmath>
#include <limits>

#include "asynprox/algorithm/run_evaluator.h"
#include "asynprox/certificates/balanced_bound.h"
#include "asynprox/certificates/dual_refinement.h"
#include "asynprox/refinements/common_shift.h"

namespace asynprox {
namespace {

// Of the tolerance: an objective that fell by less in an evaluation of the fallback has come to
// rest.
constexpr double kRestShare = 1e-2;

// Times the passes at which a bound was refined last, so that this costs a fraction of the work.
constexpr double kAgain = 1.25;

// Of the largest that a gradient mapping can be by the derivatives of outputs: rounding of their sums.
constexpr double kMappingRounding = 1e-13;

}  // namespace

// What counts as small is measured at x_0, or at coefficients of zero where the loss is less there,
// with the best intercept: how far labels are from 0, or how bad a start is, says nothing of how
// small an error must be.
void RunEvaluator::measure_start() {
  start_measured_ = true;
  double lowest = std::numeric_limits<double>::infinity();
  for (const Vector& x : {x0_, Vector(x0_.size(), 0)}) {
    EvaluatedModel start;
    const std::optional<Vector> solved = problem_.f.best_intercept(x);
    start.x = solved.value_or(x);
    if (problem_.f.linear()) start.outputs.resize(problem_.f.num_samples() * problem_.f.outputs());
    start.scalars.resize(start.outputs.size());
    const double sum = value_and_gradient_sums(problem_.f, start.x, 0, 1, start.gradient,
                                               start.outputs, start.scalars);
    const double n = static_cast<double>(problem_.f.num_samples()), loss = sum / n;
    if (!(loss < lowest)) continue;
    scale(start.gradient, 1 / n);
    lowest = loss;
    if (solved || problem_.f.num_free() == 0) objective_at_start_ = loss;
    if (!fista_) continue;
    mapping_rounding_ = kMappingRounding * fista_->largest_mapping(start.scalars);
    const double mapping = fista_->mapping(start);
    if (mapping > mapping_rounding_) mapping_at_start_ = mapping;
  }
}

double RunEvaluator::relative_mapping() {
  const double mapping = fista_->mapping(here_);
  if (mapping <= mapping_rounding_) return 0;
  // Without a start to compare with, or where it is not a number, nothing is small.
  const double relative = mapping / mapping_at_start_;
  const bool known = std::isfinite(relative) && std::isfinite(mapping_at_start_);
  return known ? relative : std::numeric_limits<double>::infinity();
}

bool RunEvaluator::begin_descent() {
  descending_ = true;
  begin_search();
  if (!fista_) {
    fista_.emplace(problem_);
    columns_apart_ = fista_->columns_apart();
    measure_start();
  }
  const std::optional<double> gap = gap_here();
  const double wanted = options_.tolerance * std::abs(here_.objective.total());
  if (options_.tolerance == 0) return true;
  if (gap) return *gap > wanted;
  return every_model_has_bound(problem_) || !now_.settled ||
         relative_mapping() > options_.tolerance;
}

bool RunEvaluator::descent_is_needless() {
  if (epochs_so_far() + passes_of_next_step() > options_.epochs_max) return true;
  if (options_.tolerance == 0) return false;
  const std::optional<double> gap = gap_here();
  return gap && *gap <= options_.tolerance * std::abs(here_.objective.total());
}

bool RunEvaluator::descend() {
  if (!fista_ && descent_is_needless()) return false;
  const bool wanted = descending_ || begin_descent();
  gave_up_ = time_is_up();
  const bool more = wanted && !gave_up_ && looks_ < looks_max_ && passes_here_ < passes_max_ &&
                    now_.steps + passes_ < options_.steps_max &&
                    epochs_so_far() + 1 <= options_.epochs_max;
  const FistaSearch::Next next = fista_->next(here_, more);
  if (next == FistaSearch::Next::look) {
    ++looks_;
    ++passes_here_;
    ++passes_;
    return true;
  }
  end_descent(next);
  return false;
}

void RunEvaluator::end_descent(FistaSearch::Next next) {
  better_ = here_.x;
  if (passes_here_ > 0) now_.refined_by.push_back(FistaSearch::name);
  now_.exhausted = next == FistaSearch::Next::exhausted;
  now_.fallback_mapping = relative_mapping();
  now_.cut_short = gave_up_ || looks_ >= looks_max_ ||  // now, or in the record
                   (!now_.exhausted && fista_->shortening());
}

// A gap that stays where the objective rests is that of the bound, not of the model. Before that,
// it is worth a try now and then.
void RunEvaluator::refine_bound() {
  const double size = std::abs(now_.objective), tolerance = options_.tolerance;
  if (!now_.duality_gap || *now_.duality_gap <= tolerance * size || tolerance == 0) return;
  const bool rests = !trace_.empty() && trace_.back().of_fallback &&
                     trace_.back().objective - now_.objective <= kRestShare * tolerance * size;
  const bool due = passes_ >= passes_to_refine_;
  const bool again = static_cast<double>(passes_) >= kAgain * passes_refined_;
  if (!fista_ || gave_up_ || !(due || now_.exhausted || (rests && again))) return;
  if (due) passes_to_refine_ = 2 * passes_;
  passes_refined_ = static_cast<double>(passes_);
  // Of all models with these outputs the one with the least h shows what h can balance.
  EvaluatedModel least;
  least.x = here_.x;
  least.objective = here_.objective;
  choose_common_shift(problem_, least.x);
  const std::optional<double> dual =
      refined_dual_value(problem_, fista_->metric(), least, now_.objective - tolerance * size);
  if (dual) has_own_bound_ = true;
  keep_bound(dual, size);
  certify(now_);
}

// Where h* is infinite at all but a few gradients, as with nonneg, an early model may give a loose
// bound and the model at rest none. Then none is known, and its gradient mapping is to judge.
void RunEvaluator::forget_bound_of_others() {
  const bool rests = now_.settled || now_.exhausted || now_.fallback_mapping <= options_.tolerance;
  if (!rests || has_own_bound_ || !now_.duality_gap || every_model_has_bound(problem_)) return;
  if (*now_.duality_gap <= options_.tolerance * std::abs(now_.objective)) return;
  dual_best_.reset();
  now_.duality_gap.reset();
}

}  // namespace asynprox
