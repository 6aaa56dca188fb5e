#include "asynprox/refinements/newton_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "asynprox/refinements/common_shift.h"
#include "asynprox/refinements/quadratic_model.h"

namespace asynprox {
namespace {

constexpr int kLooksMax = 20;         // in a search
constexpr int kLooksByColumns = 40;   // the same, by steps on a working set
constexpr double kMatrixWork = 0.5;   // of p^3: to factor a matrix a few times
constexpr double kFewer = 0.9;        // of the coordinates that were not zero before
constexpr double kRounding = 5e-15;   // of the objective: a change of less says nothing
constexpr double kMappingFall = 0.5;  // of the gradient mapping: more is no progress then
constexpr double kWorkShare = 20;     // multiplications for the quadratic, a stored number ...
constexpr double kWorkLeast = 2e6;    // ... or so many
constexpr double kWorkPatient = 1e8;  // ... or so many, where nothing else makes progress

// Moves together are exact: what a last sweep is for is to find which coordinates rest. More is
// not worth it: H is of some samples, mostly, and of a model that is left.
constexpr double kMovesLittle = 0.1;

// What is expected to be gained falls to less than this share from step to step: H is good; to
// more than that: it is not; to even more, three times: others do better.
constexpr double kQuick = 0.1;
constexpr double kSlow = 0.3;
constexpr double kTooSlow = 0.7;
constexpr int kTooSlowMax = 3;
// What a step expects to gain, over what the one before it did, where what is left is of that size.
constexpr double kSettles = 0.5;
constexpr double kAsExpected = 0.5;  // of what was expected: less, and H is not good either
constexpr double kSufficient = 0.1;  // the same: less, and the step is too long
constexpr double kShorter = 0.3, kShortest = 1e-16;

}  // namespace

NewtonSearch::NewtonSearch(const Problem& problem, double eta, int shares,
                           std::shared_ptr<const Vector> column_curvatures)
    : problem_(problem),
      eta_(eta),
      num_samples_(problem.f.num_samples()),
      hessian_(problem, shares, std::move(column_curvatures)) {
  if (AnyWorkingSet::possible(problem)) working_set_.emplace(problem, eta);
}

std::string NewtonSearch::obstacle(const Problem& problem) {
  const bool columns = any_number_may_move(problem);
  if (!problem.h.separable() && !columns)
    return fmt::format("a separable regularizer; got {}", problem.h.name());
  if (!problem.f.convex()) return "a convex loss; got one that is not";
  if (!problem.f.linear() || !(problem.f.gram() || columns))
    return "a linear model, and of several outputs one that is not centred; got another";
  return {};
}

void NewtonSearch::begin() {
  looks_ = slow_steps_ = 0;
  found_ = shortened_ = refined_ = at_rounding_ = false;
  stage_ = Stage::nothing;
  step_.reset();
  fall_last_ = fall_before_ = 0;
}

bool NewtonSearch::settled(double fall) const {
  if (at_rounding_) return true;
  return step_ && fall_last_ <= fall && fall_last_ < kSettles * fall_before_;
}

bool NewtonSearch::worth_trying(const EvaluatedModel& at) {
  if (!std::isfinite(at.objective.total())) return false;
  if (wait_ > 0) --wait_;
  return wait_ == 0;
}

NewtonSearch::Next NewtonSearch::next(EvaluatedModel& at, const Limits& limits) {
  const int looks_max = step_ && step_->by_columns ? kLooksByColumns : kLooksMax;
  const bool more = limits.more && looks_ < looks_max;
  patient_ = limits.patient;
  switch (std::exchange(stage_, Stage::nothing)) {
    case Stage::summing:
      hessian_.finish_shares();
      step_ = step(at, limits);
      if (!step_) return give_up();
      break;
    case Stage::looking:
      if (!judge(at, more)) return give_up();
      if (shortened_) return look();
      break;
    case Stage::nothing:
      if (looks_ == 0 && !step_ && (steps_still_help(count_nonzeros(at.x)) || !worth_trying(at)))
        return Next::done;
  }
  if (looks_ == looks_max || slow_steps_ == kTooSlowMax) return give_up();
  if (!more) return Next::done;
  if (!step_) {
    keys_ = moving(at);
    if (keys_.empty()) return Next::done;
    if (by_columns(count_nonzeros(at.x))) {
      if (limits.enough && limits.enough(at)) return Next::rest;
      step_ = step_by_columns(at, limits);
      if (limits.stop && limits.stop()) return Next::done;
      columns_failed_ = !step_;
      if (!step_) return give_up();
    } else
      switch (prepare_step(at, limits.patient)) {
        case SampledHessian::Prepared::to_sum: stage_ = Stage::summing; return Next::sum;
        case SampledHessian::Prepared::too_rough: return give_up();
        case SampledHessian::Prepared::known: step_ = step(at, limits);
      }
  }
  if (!step_ || !(step_->fall > 0)) return Next::done;
  if (step_->fall <= limits.fall) return Next::rest;
  if (looks_ == 0) note_best(at);
  Vector x = at.x;
  for (std::size_t i = 0; i < keys_.size(); ++i) x[keys_[i]] = step_->to[i];
  choose_common_shift(problem_, x);
  go_to(at, std::move(x));
  return look();
}

NewtonSearch::Next NewtonSearch::look() {
  stage_ = Stage::looking;
  ++looks_;
  return Next::look;
}

// Not at once again, and the less often the more often it was in vain. What gains slowly is still
// better than nothing, where others make no progress.
NewtonSearch::Next NewtonSearch::give_up() {
  const bool endless = !patient_ && (slow_steps_ == kTooSlowMax || looks_ >= kLooksMax);
  failures_ = found_ && !endless ? 0 : failures_ + 1;
  wait_ = failures_ == 0 ? 0 : 1 << std::min(failures_, 4);
  return Next::done;
}

bool NewtonSearch::judge(EvaluatedModel& at, bool more) {
  samples_read_ += static_cast<std::int64_t>(num_samples_);
  const double fell = lowest_ - at.objective.total();
  const bool too_long = !is_rounding(step_->fall) && !(fell >= kSufficient * step_->fall);
  const bool was_shortened = std::exchange(shortened_, false);
  if (more && too_long && !was_shortened && shorten(at)) {
    shortened_ = true;
    return true;
  }
  if (better(at)) {
    accept(at);
    return true;
  }
  return try_again(at) && more;
}

// What was evaluated goes to base_; `at` gets x, and room for what an evaluation finds.
void NewtonSearch::go_to(EvaluatedModel& at, Vector x) {
  std::swap(base_, at);
  at.x = std::move(x);
  at.outputs.resize(base_.outputs.size());
  at.scalars.resize(base_.scalars.size());
}

void NewtonSearch::note_best(const EvaluatedModel& at) {
  lowest_ = looks_ == 0 ? at.objective.total() : std::min(lowest_, at.objective.total());
  mapping_ = gradient_mapping_norm(problem_.h, at.x, at.gradient, eta_);
}

bool NewtonSearch::is_rounding(double fall) const {
  return std::abs(fall) <= kRounding * std::abs(lowest_);
}

// Where the objective cannot tell any more, the gradient mapping still can, by as many digits
// again.
bool NewtonSearch::better(const EvaluatedModel& at) const {
  const double fell = lowest_ - at.objective.total();
  if (!is_rounding(fell)) return fell > 0;
  return gradient_mapping_norm(problem_.h, at.x, at.gradient, eta_) < kMappingFall * mapping_;
}

void NewtonSearch::accept(const EvaluatedModel& at) {
  found_ = true;
  const double fell = base_.objective.total() - at.objective.total();
  if (step_->by_columns) {  // how good its model is, it knows by itself
    note_best(at);
    step_.reset();
    return;
  }
  const bool follows = fall_before_ > 0;
  const bool slow = follows && step_->exact && fall_last_ > kSlow * fall_before_;
  const bool too_short = !is_rounding(fell) && fell < kAsExpected * step_->fall;
  if (slow || too_short) refined_ = hessian_.refine() || (slow && hessian_.sharpen());
  // With a better H the next one may be longer.
  const bool too_slow = follows && fall_last_ > kTooSlow * fall_before_ && !(patient_ && refined_);
  slow_steps_ = too_slow ? slow_steps_ + 1 : 0;
  note_best(at);
  step_.reset();
}

// From the same model, if H can be better than it was.
bool NewtonSearch::try_again(EvaluatedModel& at) {
  const bool by_rounding = at_rounding_ = is_rounding(step_->fall);
  std::swap(at, base_);
  if (step_->by_columns) {
    step_.reset();
    columns_failed_ = true;
    return false;
  }
  step_.reset();
  fall_last_ = fall_before_ = 0;
  // Along directions in which f is flat a ridge may hide what h has to gain.
  refined_ = by_rounding ? patient_ && hessian_.sharpen() : hessian_.refine() || hessian_.soften();
  return refined_;
}

// By outputs, which are linear along the step; a pass is for the gradient only. The objective is
// convex along it: once it rises again the best length was found. False: the whole step is best.
bool NewtonSearch::shorten(EvaluatedModel& at) {
  const double whole = at.objective.total(), first = base_.objective.total();
  double lowest = whole < first ? whole : first;
  std::optional<Vector> best;
  Vector x(at.x.size()), outputs(at.outputs.size());
  for (double t = kShorter; t > kShortest; t *= kShorter) {
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = base_.x[j] + t * (at.x[j] - base_.x[j]);
    for (std::size_t i = 0; i < outputs.size(); ++i)
      outputs[i] = base_.outputs[i] + t * (at.outputs[i] - base_.outputs[i]);
    const double objective = loss_of_outputs(problem_.f, outputs) + problem_.h.value(x);
    if (objective < lowest) {
      lowest = objective;
      best = x;
    } else if (lowest < first) {
      break;
    }
  }
  if (best) at.x = std::move(*best);
  return best.has_value();
}

std::vector<Key> NewtonSearch::moving(const EvaluatedModel& at) const {
  Vector moved = at.x;
  add_scaled(moved, -eta_, at.gradient);
  problem_.h.prox(moved, eta_);
  std::vector<Key> keys, others;
  const std::size_t seen = moved.size() - problem_.f.num_free();
  for (std::size_t j = 0; j < moved.size(); ++j) {
    if (at.x[j] != 0 || j >= seen)
      keys.push_back(static_cast<Key>(j));
    else if (moved[j] != 0)
      others.push_back(static_cast<Key>(j));
  }
  if (by_columns(count_nonzeros(at.x))) {  // it chooses among them
    keys.insert(keys.end(), others.begin(), others.end());
    return keys;
  }
  if (keys.size() > coordinates_max) return {};
  const std::size_t room = coordinates_max - keys.size();
  if (others.size() > room) {
    const auto further = [&](Key a, Key b) { return std::abs(moved[a]) > std::abs(moved[b]); };
    std::ranges::nth_element(others, others.begin() + static_cast<std::ptrdiff_t>(room), further);
    others.resize(room);
  }
  keys.insert(keys.end(), others.begin(), others.end());
  std::ranges::sort(keys);
  return keys;
}

// Where a matrix has no room for what is not zero, or there is none; and where there are fewer samples
// than coordinates: few samples have any coordinate then, so that a Hessian of some of them says
// little. Once columns have cost as much as a matrix of all samples would, the matrix is tried: at
// worst that costs twice as much as the better of the two, whichever it is.
bool NewtonSearch::by_columns(std::size_t num_nonzeros) const {
  if (!working_set_) return false;
  if (!has_matrix() || num_nonzeros > coordinates_max) return true;
  const std::size_t d = problem_.f.dimension();
  if (working_set_->by_points() && !columns_failed_) return true;
  // A matrix of all coordinates costs little, and ends models that nearly interpolate few samples.
  if (d < num_samples_ || d <= coordinates_max || columns_failed_) return false;
  const auto p = static_cast<double>(num_nonzeros), n = static_cast<double>(num_samples_);
  const double row = problem_.f.mean_keys();
  return static_cast<double>(working_set_->entries_read()) <
         kMatrixWork * p * p * p + 0.5 * n * row * row;
}

// Of several outputs it needs C x C numbers per sample.
bool NewtonSearch::has_matrix() const {
  const std::size_t C = problem_.f.outputs();
  return problem_.f.gram() && problem_.h.separable() &&
         (C == 1 || num_samples_ * C * C <= curvatures_max);
}

// With more samples than coordinates, steps leave few coordinates at less cost, as long as their
// number falls from evaluation to evaluation.
bool NewtonSearch::steps_still_help(std::size_t num_nonzeros) {
  const std::size_t before = std::exchange(nonzeros_before_, num_nonzeros);
  if (patient_ || problem_.f.dimension() >= num_samples_) return false;
  return num_nonzeros > coordinates_max &&
         ((working_set_ && working_set_->is_early()) || before == 0 ||
          static_cast<double>(num_nonzeros) < kFewer * static_cast<double>(before));
}

std::optional<NewtonSearch::Step> NewtonSearch::step_by_columns(const EvaluatedModel& at,
                                                                const Limits& limits) {
  std::optional<WorkingSet::Step> found =
      working_set_->step(at, {.gap = limits.gap, .stop = limits.stop});
  if (!found) return std::nullopt;
  keys_ = std::move(found->keys);
  Step step = {.to = std::move(found->to), .fall = found->fall, .exact = false, .by_columns = true};
  fall_before_ = std::exchange(fall_last_, step.fall);
  return step;
}

SampledHessian::Prepared NewtonSearch::prepare_step(const EvaluatedModel& at, bool patient) {
  const bool good = !std::exchange(refined_, false) && fall_last_ < kQuick * fall_before_;
  return hessian_.prepare(at, keys_, {.keep = good, .patient = patient});
}

std::optional<NewtonSearch::Step> NewtonSearch::step(const EvaluatedModel& at,
                                                     const Limits& limits) {
  Step step;
  const Gram& hessian = hessian_.matrix();
  if (!(hessian.entries.front() > 0)) return std::nullopt;  // F'' is 0 at every sample
  const double numbers = static_cast<double>(num_samples_) * problem_.f.mean_keys();
  // In the Hessian's coordinates, where the intercepts are b'_c = b_c + m'x_c.
  const Vector& shift = hessian_.shift();
  const std::size_t C = problem_.f.outputs(), seen = at.x.size() - problem_.f.num_free();
  Vector shifted;
  if (!shift.empty()) shifted = at.gradient;
  for (std::size_t i = 0; i < shift.size(); ++i)
    shifted[keys_[i]] -= shift[i] * at.gradient[seen + keys_[i] % C];
  QuadraticMinimum minimum = minimize(
      {problem_.h, keys_, at.x, shift.empty() ? at.gradient : shifted, hessian},
      {.work_max = std::max(limits.patient ? kWorkPatient : kWorkLeast, kWorkShare * numbers),
       .moves_little = kMovesLittle});
  if (!all_finite(minimum.z)) return std::nullopt;
  for (std::size_t i = 0; i < shift.size(); ++i)
    minimum.z[shift.size() + keys_[i] % C] -= shift[i] * (minimum.z[i] - at.x[keys_[i]]);
  step.to = std::move(minimum.z);
  // The value is a difference of rounded numbers, and the distance, which is about as much where
  // the minimum was found, is not.
  step.fall = minimum.found ? std::max(-minimum.value, minimum.distance) : -minimum.value;
  step.exact = minimum.found;
  fall_before_ = std::exchange(fall_last_, step.fall);
  return step;
}

}  // namespace asynprox
