// The evaluations of a run that has fallen back: FISTA steps, and the bound on the error where it is
// what stays behind.
#include <cmath>
#include <limits>

#include "asynprox/certificates/dual_refinement.h"
#include "asynprox/runtimes/monitor.h"

namespace asynprox {
namespace {

// Of the tolerance: an objective that fell by less in an evaluation of the fallback has come to
// rest.
constexpr double kRestShare = 1e-2;

// Times the passes at which a bound was refined last, so that this costs a fraction of the work.
constexpr double kAgain = 1.25;

}  // namespace

// What counts as small is measured at x_0, or at coefficients of zero where the loss is less there,
// with the best intercept: how far labels are from 0, or how bad a start is, says nothing of how
// small an error must be.
void Monitor::measure_start() {
  start_measured_ = true;
  double lowest = std::numeric_limits<double>::infinity();
  for (const Vector& x : {x0_, Vector(x0_.size(), 0)}) {
    EvaluatedModel start;
    const std::optional<Vector> solved = problem_.f.best_intercept(x);
    start.x = solved.value_or(x);
    const double loss = value_and_gradient(problem_.f, start.x, start.gradient);
    if (!(loss < lowest)) continue;
    lowest = loss;
    if (solved || problem_.f.num_free() == 0) objective_at_start_ = loss;
    const double mapping = fista_ ? fista_->mapping(start) : 0;
    if (mapping > 0) mapping_at_start_ = mapping;
  }
}

bool Monitor::begin_descent() {
  descending_ = true;
  if (!search_start_) search_start_ = Clock::now();
  if (!fista_) {
    fista_.emplace(problem_);
    columns_apart_ = fista_->columns_apart();
    measure_start();
  }
  const std::optional<double> gap = gap_here();
  const double wanted = options_.tolerance * std::abs(here_.objective.total());
  if (options_.tolerance == 0) return true;
  if (gap) return *gap > wanted;
  return !now_.settled || fista_->mapping(here_) > options_.tolerance * mapping_at_start_;
}

bool Monitor::descent_is_needless() {
  if (epochs_so_far() + passes_of_next_step() > options_.epochs_max) return true;
  if (options_.tolerance == 0) return false;
  const std::optional<double> gap = gap_here();
  return gap && *gap <= options_.tolerance * std::abs(here_.objective.total());
}

bool Monitor::descend() {
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

void Monitor::end_descent(FistaSearch::Next next) {
  better_ = here_.x;
  if (passes_here_ > 0) now_.refined_by.push_back(FistaSearch::name);
  now_.exhausted = next == FistaSearch::Next::exhausted;
  const double mapping = fista_->mapping(here_);
  if (mapping > 0)
    now_.fallback_mapping = std::isfinite(mapping_at_start_)
                                ? mapping / mapping_at_start_
                                : std::numeric_limits<double>::infinity();
  now_.cut_short = gave_up_ || looks_ >= looks_max_ ||  // now, or in the record
                   (!now_.exhausted && fista_->shortening());
}

// A gap that stays where the objective rests is that of the bound, not of the model. Before that,
// it is worth a try now and then.
void Monitor::refine_bound() {
  const double size = std::abs(now_.objective), tolerance = options_.tolerance;
  if (!now_.duality_gap || *now_.duality_gap <= tolerance * size || tolerance == 0) return;
  const bool rests = !trace_.empty() && trace_.back().of_fallback &&
                     trace_.back().objective - now_.objective <= kRestShare * tolerance * size;
  const bool due = passes_ >= passes_to_refine_;
  const bool again = static_cast<double>(passes_) >= kAgain * passes_refined_;
  if (!fista_ || gave_up_ || !(due || now_.exhausted || (rests && again))) return;
  if (due) passes_to_refine_ = 2 * passes_;
  passes_refined_ = static_cast<double>(passes_);
  const std::optional<double> dual =
      refined_dual_value(problem_, fista_->metric(), here_, now_.objective - tolerance * size);
  keep_bound(dual, size);
  certify(now_);
}

}  // namespace asynprox
