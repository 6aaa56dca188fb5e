#include "asynprox/certificates/dual_refinement.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "asynprox/certificates/duality_gap.h"

namespace asynprox {
namespace {

constexpr int kRounds = 8;

// Steps of conjugate gradients: in a round, and in all of them.
constexpr int kStepsMost = 40;
constexpr int kStepsInAll = 120;

// Of the sums that make a bound: what rounding may have changed.
constexpr double kRounding = 1e-13;

// Of the right-hand side: what may be left of it when conjugate gradients end.
constexpr double kResidual = 1e-4;

// The Hessian is a difference of derivatives, where no output changes by more than this.
constexpr double kDifference = 1e-4;

// Of the curvature that the metric expects: added to the Hessian, which may be singular.
constexpr double kRidge = 1e-9;

class Refinement {
 public:
  Refinement(const Problem& problem, DescentMetric& metric, const EvaluatedModel& at)
      : problem_(problem),
        metric_(metric),
        x_(at.x),
        highest_(at.objective.total()),
        free_(problem.f.num_free()),
        seen_(at.x.size() - free_) {
    if (free_ == 0) return;
    if (const DataColumns* columns = problem.f.columns()) means_ = columns->moments().means;
  }

  // D at the derivatives of the losses at x.
  std::optional<double> bound(const Vector& x);

  // P of the model, if f had the gradient there that bound() found.
  Vector mapping() const;

  // z with H z = v, about, where H is f's Hessian where bound() was last called. Intercepts are
  // those of columns without their means.
  Vector solve(Vector v);

  // In place: x - z.
  void move(Vector& x, const Vector& z) const;

  bool steps_left() const { return steps_ < kStepsInAll; }

 private:
  void evaluate();
  void balance(Vector& mapping) const;
  Vector product(const Vector& v) const;

  const Problem& problem_;
  DescentMetric& metric_;
  const Vector& x_;
  double highest_;
  std::size_t free_, seen_;
  Vector means_;  // of the columns, 1 for an intercept; empty: there is none
  EvaluatedModel there_;
  int steps_ = 0;
};

void Refinement::evaluate() {
  const AnyFiniteSum& f = problem_.f;
  const LinearPredictor& linear = *f.linear();
  const std::size_t n = f.num_samples(), C = f.outputs();
  there_.outputs.resize(n * C);
  there_.scalars.resize(n * C);
  there_.gradient.assign(there_.x.size(), 0);
  double total = 0;
  for_samples(0, n, [&](Samples samples) {
    const std::size_t first = samples.front() * C, count = samples.size() * C;
    const std::span<double> u = std::span(there_.outputs).subspan(first, count);
    const std::span<double> c = std::span(there_.scalars).subspan(first, count);
    linear.outputs_at(there_.x, samples, u);
    total += linear.value_of_outputs(samples, u);
    linear.scalars_of_outputs(samples, u, c);
    if (means_.empty())
      linear.scatter(samples, c, there_.gradient);
    else
      f.columns()->centered_scatter(samples, c, means_, there_.gradient);
  });
  there_.objective.loss = total / static_cast<double>(n);
  scale(there_.gradient, 1 / static_cast<double>(n));
}

// With delta_c the sum of theta_ic, rounding that is left, and u_c = b_c + m'x_c a mean output: see
// center_gradient in duality_gap.cc. The bound may be wrong by |delta u|. The conjugate is that of
// the outputs as they are, which rounding moves where columns are far from 0: any do.
std::optional<double> Refinement::bound(const Vector& x) {
  std::optional<Vector> solved = free_ > 0 ? problem_.f.best_intercept(x) : x;
  if (!solved) return std::nullopt;
  there_.x = std::move(*solved);
  evaluate();
  if (!std::isfinite(there_.objective.loss) || !all_finite(there_.gradient)) return std::nullopt;
  const double n = static_cast<double>(problem_.f.num_samples());
  const double conjugate = dot(there_.scalars, there_.outputs) / n - there_.objective.loss;
  double slack = kRounding * (std::abs(conjugate) + std::abs(there_.objective.loss));
  for (std::size_t c = 0; c < free_; ++c) {
    double delta = 0, output = there_.x[seen_ + c];
    for (std::size_t i = c; i < there_.scalars.size(); i += free_) delta += there_.scalars[i];
    for (std::size_t j = c; j < seen_; j += free_) output += means_[j] * there_.x[j];
    slack += std::abs(delta / n * output);
    there_.gradient[seen_ + c] = 0;
  }
  const std::optional<double> dual = dual_value_at(problem_, there_, conjugate, highest_);
  return dual ? std::optional(*dual - slack) : std::nullopt;
}

Vector Refinement::mapping() const {
  Vector to = x_;
  for (std::size_t j = 0; j < seen_; ++j) to[j] -= metric_.scales()[j] * there_.gradient[j];
  metric_.prox(problem_.h, to, 1);
  Vector mapping(x_.size(), 0);
  for (std::size_t j = 0; j < seen_; ++j) mapping[j] = (x_[j] - to[j]) / metric_.scales()[j];
  if (problem_.f.linear()->ignores_common_shift()) balance(mapping);
  return mapping;
}

// The slopes of a feature's coefficients sum to 0 where f ignores common shifts. Those that h can
// balance as they are (at a kink) take what the others need.
void Refinement::balance(Vector& mapping) const {
  const std::size_t C = problem_.f.outputs();
  for (std::size_t first = 0; first < seen_; first += C) {
    const std::span<double> slopes = std::span(mapping).subspan(first, C);
    const bool any = std::ranges::count(slopes, 0.0) > 0;
    const auto takers = static_cast<double>(any ? std::ranges::count(slopes, 0.0) : slopes.size());
    const double share = sum(slopes) / takers;
    for (double& slope : slopes)
      if (!any || slope == 0) slope -= share;
  }
}

void Refinement::move(Vector& x, const Vector& z) const {
  add_scaled(x, -1, z);
  for (std::size_t j = 0; j < seen_ && free_ > 0; ++j) x[seen_ + j % free_] += means_[j] * z[j];
}

Vector Refinement::product(const Vector& v) const {
  const LinearPredictor& linear = *problem_.f.linear();
  const std::size_t n = problem_.f.num_samples();
  Vector along(v.size(), 0), changes(there_.outputs.size()), out(v.size(), 0);
  move(along, v);
  scale(along, -1);
  linear.outputs_at(along, all_samples(n), changes);
  double largest = 0;
  for (const double change : changes) largest = std::max(largest, std::abs(change));
  if (!(largest > 0) || !std::isfinite(largest)) return out;
  const double step = kDifference / largest;
  for (std::size_t i = 0; i < changes.size(); ++i)
    changes[i] = there_.outputs[i] + step * changes[i];
  linear.scalars_of_outputs(all_samples(n), changes, changes);
  for (std::size_t i = 0; i < changes.size(); ++i)
    changes[i] = (changes[i] - there_.scalars[i]) / (step * static_cast<double>(n));
  linear.scatter(all_samples(n), changes, out);
  for (std::size_t j = 0; j < seen_ && free_ > 0; ++j) out[j] -= means_[j] * out[seen_ + j % free_];
  for (std::size_t j = 0; j < out.size(); ++j) out[j] += kRidge * v[j] / metric_.scales()[j];
  return out;
}

Vector Refinement::solve(Vector v) {
  const auto preconditioned = [&](const Vector& residual) {
    Vector scaled = residual;
    for (std::size_t j = 0; j < scaled.size(); ++j) scaled[j] *= metric_.scales()[j];
    return scaled;
  };
  Vector z(v.size(), 0), direction = preconditioned(v);
  double size = dot(v, direction);
  const double enough = kResidual * kResidual * size;
  for (int step = 0; step < kStepsMost && steps_left() && size > enough; ++step, ++steps_) {
    const Vector bent = product(direction);
    const double curvature = dot(direction, bent);
    if (!(curvature > 0) || !std::isfinite(curvature)) break;
    add_scaled(z, size / curvature, direction);
    add_scaled(v, -size / curvature, bent);
    Vector next = preconditioned(v);
    const double size_before = std::exchange(size, dot(v, next));
    add_scaled(next, size / size_before, direction);
    direction.swap(next);
  }
  return z;
}

}  // namespace

std::optional<double> refined_dual_value(const Problem& problem, DescentMetric& metric,
                                         const EvaluatedModel& at, double enough) {
  const AnyFiniteSum& f = problem.f;
  if (!f.convex() || !f.linear() || !problem.h.has_conjugate()) return std::nullopt;
  if (f.num_free() > 0 && !f.columns()) return std::nullopt;
  Refinement refinement(problem, metric, at);
  std::optional<double> best;
  Vector x = at.x;
  for (int round = 0; round < kRounds && refinement.steps_left() && all_finite(x); ++round) {
    const std::optional<double> found = refinement.bound(x);
    if (found && (!best || *found > *best)) best = found;
    if (!found || *best >= enough) break;
    refinement.move(x, refinement.solve(refinement.mapping()));
  }
  return best;
}

}  // namespace asynprox
