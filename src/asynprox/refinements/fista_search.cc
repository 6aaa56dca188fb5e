#include "asynprox/refinements/fista_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "asynprox/refinements/common_shift.h"

namespace asynprox {
namespace {

// Of the objective: a rise of less is rounding.
constexpr double kRounding = 1e-13;

// L falls by these factors per step, so that it follows f's curvature where that becomes less; by
// the first while its scale is not known yet.
constexpr double kShrinkFirst = 0.7;
constexpr double kShrink = 0.95;
constexpr int kStepsFirst = 20;

// Where a step was too long, L grows by as much as was seen to be needed, within these.
constexpr double kGrowLeast = 2, kGrowMost = 10;

// So many refused steps in a row: it is the extrapolated gradient, not their length.
constexpr int kFailuresOfMomentum = 5;

}  // namespace

FistaSearch::FistaSearch(const Problem& problem)
    : problem_(problem),
      metric_(problem),
      samples_read_(passes_to_begin * static_cast<std::int64_t>(problem.f.num_samples())) {}

void FistaSearch::restart_at(const EvaluatedModel& at) {
  model_ = x_ = at.x;
  metric_.shift(x_);
  gradient_ = at.gradient;
  metric_.shift_gradient(gradient_);
  x_before_ = x_;
  gradient_before_ = gradient_;
  lowest_ = at.objective.total();
  t_ = 1;
  failures_ = 0;
}

FistaSearch::Next FistaSearch::next(EvaluatedModel& at, bool more) {
  if (!std::exchange(looking_, false)) {
    if (model_ != at.x) restart_at(at);
  } else {
    samples_read_ += static_cast<std::int64_t>(problem_.f.num_samples());
    if (accepts(at))
      take(at);
    else
      std::swap(at, base_);
  }
  if (failures_ > failures_max) return Next::exhausted;
  return more ? propose(at) : Next::rest;
}

FistaSearch::Next FistaSearch::propose(EvaluatedModel& at) {
  t_next_ = (1 + std::sqrt(1 + 4 * t_ * t_)) / 2;
  momentum_ = (t_ - 1) / t_next_;
  y_ = x_;
  gradient_y_ = gradient_;
  add_scaled(y_, momentum_, x_);
  add_scaled(y_, -momentum_, x_before_);
  add_scaled(gradient_y_, momentum_, gradient_);
  add_scaled(gradient_y_, -momentum_, gradient_before_);
  proposal_ = y_;
  for (std::size_t j = 0; j < proposal_.size(); ++j)
    proposal_[j] -= metric_.scales()[j] * gradient_y_[j] / lipschitz_;
  metric_.prox(problem_.h, proposal_, 1 / lipschitz_);
  choose_common_shift(problem_, proposal_);
  if (proposal_ == x_) {
    if (momentum_ == 0) return Next::exhausted;  // a fixed point
    t_ = 1;
    return propose(at);
  }
  std::swap(base_, at);
  at.x = proposal_;
  metric_.unshift(at.x);
  at.outputs.resize(base_.outputs.size());
  at.scalars.resize(base_.scalars.size());
  looking_ = true;
  return Next::look;
}

// Grows L, or drops the momentum, where it does not.
bool FistaSearch::accepts(const EvaluatedModel& at) {
  const double after = at.objective.total();
  const bool finite = std::isfinite(after) && all_finite(at.gradient);
  Vector gradient = at.gradient;
  metric_.shift_gradient(gradient);
  double bend = 0, length = 0;
  for (std::size_t j = 0; j < y_.size(); ++j) {
    const double moved = proposal_[j] - y_[j];
    bend += (gradient[j] - gradient_y_[j]) * moved;
    length += moved * moved / metric_.scales()[j];
  }
  const bool rises = !(after <= lowest_ + kRounding * std::abs(lowest_));
  if (finite && bend <= lipschitz_ * length * (1 + 1e-10)) {
    if (!rises) return true;
    // The momentum carried it too far, or the rise is rounding that a shorter step may avoid.
    if (momentum_ == 0) lipschitz_ *= kGrowLeast;
  } else {
    const double seen = finite && length > 0 ? bend / (length * lipschitz_) : kGrowMost;
    lipschitz_ *= std::clamp(seen, kGrowLeast, kGrowMost);
  }
  ++failures_;
  if (rises) {
    drop_momentum();
  } else if (momentum_ != 0 && failures_ >= kFailuresOfMomentum) {
    lipschitz_ = lipschitz_taken_;
    drop_momentum();
  }
  return false;
}

void FistaSearch::drop_momentum() {
  t_ = 1;
  x_before_ = x_;
  gradient_before_ = gradient_;
}

void FistaSearch::take(const EvaluatedModel& at) {
  failures_ = 0;
  ++taken_;
  lowest_ = std::min(lowest_, at.objective.total());
  double uphill = 0;
  for (std::size_t j = 0; j < y_.size(); ++j)
    uphill += (y_[j] - proposal_[j]) * (proposal_[j] - x_[j]) / metric_.scales()[j];
  t_ = uphill > 0 ? 1 : t_next_;
  model_ = at.x;
  x_before_.swap(x_);
  x_.swap(proposal_);
  gradient_before_.swap(gradient_);
  gradient_ = at.gradient;
  metric_.shift_gradient(gradient_);
  lipschitz_ *= taken_ < kStepsFirst ? kShrinkFirst : kShrink;
  lipschitz_taken_ = lipschitz_;
}

double FistaSearch::largest_mapping(std::span<const double> scalars) const {
  const auto per_output = static_cast<double>(problem_.f.dimension() / problem_.f.outputs());
  const double mean_square = dot(scalars, scalars) / static_cast<double>(problem_.f.num_samples());
  return std::sqrt(per_output * mean_square * metric_.unit());
}

double FistaSearch::mapping(const EvaluatedModel& at) {
  Vector from = at.x, gradient = at.gradient;
  metric_.shift(from);
  metric_.shift_gradient(gradient);
  Vector to = from;
  for (std::size_t j = 0; j < to.size(); ++j) to[j] -= metric_.scales()[j] * gradient[j];
  metric_.prox(problem_.h, to, 1);
  add_scaled(to, -1, from);
  // h does not see intercepts: their part is the step itself, which rounding must not hide.
  for (std::size_t j = to.size() - problem_.f.num_free(); j < to.size(); ++j)
    to[j] = -metric_.scales()[j] * gradient[j];
  return std::sqrt(metric_.squared_norm(to));
}

}  // namespace asynprox
