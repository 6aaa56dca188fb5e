#include "asynprox/certificates/dual_refinement.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "asynprox/certificates/duality_gap.h"
#include "asynprox/linalg/cholesky.h"

namespace asynprox {
namespace {

constexpr int kRounds = 8;

// Steps of conjugate gradients: in a round, and in all of them.
constexpr int kStepsMost = 40;
constexpr int kStepsInAll = 120;

// Of the sums that make a bound: what rounding may have changed.
constexpr double kRounding = 1e-13;

// The longer the step of P, the less of it is the rounding of x: times the metric's, and at least so
// long that a coordinate moves by this share of itself, where its own step can be chosen.
constexpr double kStep = 100, kMove = 0.1;

// No output changes by more than this where a bound is by first and second order. A theta near the end
// of its domain, as at the corner of huber, may then be beyond it by as much.
constexpr double kBeside = 1e-6;

// Of the mean size of a derivative: what may be left of their mean, with an intercept.
constexpr double kSlopeLeft = 1e-9;

// Of the right-hand side: what may be left of it when conjugate gradients end.
constexpr double kResidual = 1e-4;

// The Hessian is a difference of derivatives, where no output changes by more than this.
constexpr double kDifference = 1e-4;

// Of the curvature that the metric expects: added to the Hessian, which may be singular.
constexpr double kRidge = 1e-9;

// Up to so many coordinates the Hessian is made, at a pass each, and its factors precondition it:
// where columns nearly depend on each other, conjugate gradients need them. The ridge is of its
// diagonal, and only of the factors.
constexpr std::size_t kCoordinatesMade = 64;
constexpr double kRidgeOfFactors = 1e-13;

// Numbers of the Hessians in the outputs, C x C per sample: 128 MB.
constexpr std::size_t kCurvaturesMax = std::size_t{1} << 24;

class Refinement {
 public:
  Refinement(const Problem& problem, DescentMetric& metric, const EvaluatedModel& at)
      : problem_(problem),
        metric_(metric),
        x_(at.x),
        highest_(at.objective.total()),
        free_(problem.f.num_free()),
        seen_(at.x.size() - free_),
        outputs_(problem.f.num_samples() * problem.f.outputs()) {
    problem.f.linear()->outputs_at(x_, all_samples(problem.f.num_samples()), outputs_);
    if (free_ == 0) return;
    if (const DataColumns* columns = problem.f.columns()) means_ = columns->moments().means;
  }

  // D at the derivatives of the losses at x - z. Intercepts are those of columns without their
  // means, here and below; those of z may be changed so that the derivatives sum to 0.
  std::optional<double> bound(Vector& z);

  // The same at x - z - v, for the z that bound() was last called with and a v so short that x is
  // rounded by more: to first order in v, with a bound on the second. Afterwards bound() is to be
  // called again before anything else is.
  std::optional<double> bound_beside(const Vector& v);

  // P of the model, if f had the gradient there that bound() found.
  Vector mapping() const;

  // z with H z = v, about, where H is f's Hessian where bound() was last called.
  Vector solve(Vector v);

  // Where bound() was last called, is there a gradient to go on from?
  bool usable() const { return usable_; }

  bool steps_left() const { return steps_ < kStepsInAll; }

 private:
  void evaluate();
  bool balanced();
  void go_to(Vector& z);
  double balance_rounding();
  std::optional<double> dual_value();
  void scatter(const Vector& derivatives, Vector& out) const;
  void balance(Vector& mapping) const;
  void take_common_shifts_from(std::span<double> z) const;
  Vector moved(const Vector& z) const;
  Vector changes_of_outputs(const Vector& z) const;
  void multiply_by_curvatures(Vector& changes);
  Vector product(const Vector& v);
  void curve_common_shifts(Vector& matrix) const;
  void factorize();
  Vector preconditioned(const Vector& residual) const;

  const Problem& problem_;
  DescentMetric& metric_;
  const Vector& x_;
  double highest_;
  std::size_t free_, seen_;
  Vector means_;  // of the columns, 1 for an intercept; empty: there is none
  Vector
      outputs_;  // of x, to which changes are added: from sums of large terms they have rounding,
                 // but always the same
  EvaluatedModel there_;
  Vector slopes_;                    // along the intercepts there
  double conjugate_ = 0;             // of the losses there
  double rounding_ = 0;              // that may have changed the bound
  Vector curvatures_;                // F'' there, C x C numbers per sample; empty: not known yet
  std::optional<Cholesky> factors_;  // of H at the first place; empty: none
  bool factorized_ = false;
  bool usable_ = false;
  bool balanced_ = false;  // the theta_i sum to 0 there
  int steps_ = 0;
};

void Refinement::evaluate() {
  const AnyFiniteSum& f = problem_.f;
  const LinearPredictor& linear = *f.linear();
  const std::size_t n = f.num_samples(), C = f.outputs();
  there_.scalars.resize(n * C);
  curvatures_.clear();
  there_.gradient.assign(there_.x.size(), 0);
  double total = 0;
  for_samples(0, n, [&](Samples samples) {
    const std::size_t first = samples.front() * C, count = samples.size() * C;
    const std::span<double> u = std::span(there_.outputs).subspan(first, count);
    const std::span<double> c = std::span(there_.scalars).subspan(first, count);
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

// Do the theta_i sum to 0, but for rounding? Notes their means.
bool Refinement::balanced() {
  const double n = static_cast<double>(problem_.f.num_samples());
  slopes_.assign(free_, 0);
  double size = 0;
  for (std::size_t i = 0; i < there_.scalars.size() && free_ > 0; ++i) {
    slopes_[i % free_] += there_.scalars[i] / n;
    size += std::abs(there_.scalars[i]) / n;
  }
  return std::ranges::all_of(slopes_,
                             [&](double slope) { return std::abs(slope) <= kSlopeLeft * size; });
}

// The intercepts are found as other coordinates are, which their size does not round; by
// best_intercept where that did not come far enough. Neither need succeed: then there is no bound
// here, but a gradient to go on from.
void Refinement::go_to(Vector& z) {
  const auto evaluate_there = [&] {
    there_.x = moved(z);
    there_.outputs = outputs_;
    add_scaled(there_.outputs, -1, changes_of_outputs(z));
    evaluate();
  };
  evaluate_there();
  balanced_ = balanced();
  if (balanced_) return;
  const std::optional<Vector> solved = problem_.f.best_intercept(there_.x);
  if (!solved) return;
  for (std::size_t j = seen_; j < z.size(); ++j) z[j] -= (*solved)[j] - there_.x[j];
  evaluate_there();
  balanced_ = balanced();
}

// With delta_c the mean of theta_ic, rounding that is left, and u_c = b_c + m'x_c a mean output: see
// center_gradient in duality_gap.cc. The bound may be wrong by |delta u|. The conjugate is that of
// the outputs as they are, which rounding moves where columns are far from 0: any do.
std::optional<double> Refinement::bound(Vector& z) {
  go_to(z);
  usable_ = std::isfinite(there_.objective.loss) && all_finite(there_.gradient);
  if (!usable_ || !balanced_) return std::nullopt;
  const double n = static_cast<double>(problem_.f.num_samples());
  conjugate_ = dot(there_.scalars, there_.outputs) / n - there_.objective.loss;
  rounding_ = kRounding * (std::abs(conjugate_) + std::abs(there_.objective.loss));
  return dual_value();
}

// What h cannot balance of a slope that is rounding is taken from it, as the intercepts' slopes are: at
// the cost of that times the coefficient that makes these outputs.
double Refinement::balance_rounding() {
  const Vector left = mapping();
  double size = 0, slack = 0;
  for (const double theta : there_.scalars) size += std::abs(theta);
  size /= static_cast<double>(problem_.f.num_samples());
  for (std::size_t j = 0; j < seen_; ++j) {
    if (std::abs(left[j]) > kRounding * size / std::sqrt(metric_.scales()[j])) continue;
    const double balanced = there_.gradient[j] - left[j];
    there_.gradient[j] = std::abs(balanced) > kRounding * std::abs(left[j]) ? balanced : 0;
    slack += std::abs(left[j] * there_.x[j]);
  }
  return slack;
}

std::optional<double> Refinement::dual_value() {
  // But for rounding the slopes of a feature sum to 0 then.
  if (problem_.f.linear()->ignores_common_shift())
    take_common_shifts_from(std::span(there_.gradient).first(seen_));
  double slack = rounding_ + balance_rounding();
  for (std::size_t c = 0; c < free_; ++c) {
    double output = there_.x[seen_ + c];
    for (std::size_t j = c; j < seen_; j += free_) output += means_[j] * there_.x[j];
    slack += std::abs(slopes_[c] * output);
    there_.gradient[seen_ + c] = 0;
  }
  const std::optional<double> dual = dual_value_at(problem_, there_, conjugate_, highest_);
  return dual ? std::optional(*dual - slack) : std::nullopt;
}

// With changes A v of the outputs, theta changes by d = F'' A v, the gradient by A'd / n, and the
// conjugates by <u, d> / n + d'A v / (2 n), but for the third order of A v. Twice that square is
// taken off, for the third order too.
std::optional<double> Refinement::bound_beside(const Vector& v) {
  if (!balanced_) return std::nullopt;
  const double n = static_cast<double>(problem_.f.num_samples());
  const Vector changes = changes_of_outputs(v);
  const auto small = [](double change) { return std::abs(change) <= kBeside; };
  if (!std::ranges::all_of(changes, small)) return std::nullopt;
  Vector derivatives = changes, gradient(there_.x.size(), 0);
  multiply_by_curvatures(derivatives);
  scale(derivatives, 1 / n);
  scatter(derivatives, gradient);
  for (std::size_t j = 0; j < seen_; ++j) there_.gradient[j] -= gradient[j];
  for (std::size_t i = 0; i < derivatives.size() && free_ > 0; ++i)
    slopes_[i % free_] -= derivatives[i];
  conjugate_ -= dot(derivatives, there_.outputs);
  rounding_ += 2 * std::abs(dot(derivatives, changes));
  add_scaled(there_.outputs, -1, changes);
  return dual_value();
}

Vector Refinement::mapping() const {
  Vector to = x_;
  Vector steps = metric_.scales();
  scale(steps, kStep);
  if (problem_.h.separable())
    for (std::size_t j = 0; j < seen_; ++j)
      if (const double slope = std::abs(there_.gradient[j]); slope > 0)
        steps[j] = std::max(steps[j], kMove * std::abs(x_[j]) / slope);
  for (std::size_t j = 0; j < seen_; ++j) to[j] -= steps[j] * there_.gradient[j];
  if (problem_.h.separable())
    problem_.h.prox_scaled(to, steps);
  else
    metric_.prox(problem_.h, to, kStep);
  Vector mapping(x_.size(), 0);
  for (std::size_t j = 0; j < seen_; ++j) mapping[j] = (x_[j] - to[j]) / steps[j];
  std::ranges::copy(slopes_, mapping.begin() + static_cast<std::ptrdiff_t>(seen_));
  if (problem_.f.linear()->ignores_common_shift()) balance(mapping);
  return mapping;
}

// The slopes of a feature's coefficients sum to 0 where f ignores common shifts. Those that h can
// balance (at a kink, where prox stays or the coefficient is 0) take what the others need.
void Refinement::balance(Vector& mapping) const {
  const std::size_t C = problem_.f.outputs();
  for (std::size_t first = 0; first < seen_; first += C) {
    const std::span<double> slopes = std::span(mapping).subspan(first, C);
    const auto at_kink = [&](std::size_t c) { return slopes[c] == 0 || x_[first + c] == 0; };
    std::vector<std::size_t> takers;
    for (std::size_t c = 0; c < C; ++c)
      if (at_kink(c)) takers.push_back(c);
    const double total = sum(slopes);
    if (takers.empty())
      for (double& slope : slopes) slope -= total / static_cast<double>(C);
    for (const std::size_t c : takers) slopes[c] -= total / static_cast<double>(takers.size());
  }
}

// x - z
Vector Refinement::moved(const Vector& z) const {
  Vector x = x_;
  add_scaled(x, -1, z);
  for (std::size_t j = 0; j < seen_ && free_ > 0; ++j) x[seen_ + j % free_] += means_[j] * z[j];
  return x;
}

Vector Refinement::changes_of_outputs(const Vector& z) const {
  Vector along = z, changes(outputs_.size());
  for (std::size_t j = 0; j < seen_ && free_ > 0; ++j) along[seen_ + j % free_] -= means_[j] * z[j];
  problem_.f.linear()->outputs_at(along, all_samples(problem_.f.num_samples()), changes);
  return changes;
}

// In place. By differences of derivatives, where F'' is not known.
void Refinement::multiply_by_curvatures(Vector& changes) {
  const AnyFiniteSum& f = problem_.f;
  const std::size_t n = f.num_samples(), C = f.outputs();
  const std::vector<SampleIndex> all = all_samples(n);
  if (f.gram() && n * C * C <= kCurvaturesMax) {
    if (curvatures_.empty()) {
      curvatures_.resize(n * C * C);
      f.linear()->curvatures_of_outputs(all, there_.outputs, there_.scalars, curvatures_);
    }
    Vector before(C);
    for (std::size_t i = 0; i < n; ++i) {
      const std::span<double> of_sample = std::span(changes).subspan(i * C, C);
      std::ranges::copy(of_sample, before.begin());
      for (std::size_t c = 0; c < C; ++c)
        of_sample[c] = dot(std::span(curvatures_).subspan((i * C + c) * C, C), before);
    }
    return;
  }
  double largest = 0;
  for (const double change : changes) largest = std::max(largest, std::abs(change));
  if (!(largest > 0) || !std::isfinite(largest)) return;
  const double step = kDifference / largest;
  for (std::size_t i = 0; i < changes.size(); ++i)
    changes[i] = there_.outputs[i] + step * changes[i];
  f.linear()->scalars_of_outputs(all, changes, changes);
  for (std::size_t i = 0; i < changes.size(); ++i)
    changes[i] = (changes[i] - there_.scalars[i]) / step;
}

// Of centred columns where there is an intercept, and then without its own slopes.
void Refinement::scatter(const Vector& derivatives, Vector& out) const {
  const AnyFiniteSum& f = problem_.f;
  if (means_.empty())
    f.linear()->scatter(all_samples(f.num_samples()), derivatives, out);
  else
    f.columns()->centered_scatter(all_samples(f.num_samples()), derivatives, means_, out);
}

Vector Refinement::product(const Vector& v) {
  const AnyFiniteSum& f = problem_.f;
  const std::size_t n = f.num_samples();
  Vector changes = changes_of_outputs(v), out(v.size(), 0);
  multiply_by_curvatures(changes);
  scale(changes, 1 / static_cast<double>(n));
  scatter(changes, out);
  for (std::size_t i = 0; i < changes.size() && !means_.empty(); ++i)
    out[seen_ + i % free_] += changes[i];
  for (std::size_t j = 0; j < out.size() && !factors_; ++j)
    out[j] += kRidge * v[j] / metric_.scales()[j];
  return out;
}

// Along them f is flat, and an inverse would turn rounding into long steps: they get the curvature
// that the metric expects. It is orthogonal to all that f sees.
void Refinement::curve_common_shifts(Vector& matrix) const {
  const std::size_t C = problem_.f.outputs(), size = x_.size();
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = i - i % C; j < i - i % C + C; ++j)
      matrix[i * size + j] += 1 / (metric_.scales()[i] * static_cast<double>(C));
}

void Refinement::factorize() {
  const std::size_t size = x_.size();
  if (std::exchange(factorized_, true) || size > kCoordinatesMade) return;
  Vector matrix(size * size), unit(size, 0);
  for (std::size_t j = 0; j < size; ++j) {
    unit[j] = metric_.scales()[j];  // about as long as what it is to be used for
    Vector column = product(unit);
    unit[j] = 0;
    scale(column, 1 / metric_.scales()[j]);
    std::ranges::copy(column, matrix.begin() + static_cast<std::ptrdiff_t>(j * size));
  }
  if (problem_.f.linear()->ignores_common_shift()) curve_common_shifts(matrix);
  for (std::size_t j = 0; j < size; ++j) {
    double& diagonal = matrix[j * (size + 1)];
    const double expected = 1 / metric_.scales()[j];
    // A constant column, which the intercept leaves nothing of, has no curvature at all.
    diagonal = diagonal > kRounding * expected ? (1 + kRidgeOfFactors) * diagonal : expected;
  }
  factors_ = Cholesky::of(std::move(matrix), size);
}

Vector Refinement::preconditioned(const Vector& residual) const {
  Vector z = residual;
  if (factors_) {
    factors_->solve(z);
    return z;
  }
  for (std::size_t j = 0; j < z.size(); ++j) z[j] *= metric_.scales()[j];
  return z;
}

// In place: the mean of each feature's coefficients.
void Refinement::take_common_shifts_from(std::span<double> z) const {
  const std::size_t C = problem_.f.outputs();
  for (std::size_t first = 0; first < z.size(); first += C) {
    const std::span<double> own = z.subspan(first, C);
    const double mean = sum(own) / static_cast<double>(C);
    for (double& coefficient : own) coefficient -= mean;
  }
}

Vector Refinement::solve(Vector v) {
  factorize();
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
  // H leaves them open, so that rounding chose them, and they are not small.
  if (problem_.f.linear()->ignores_common_shift()) take_common_shifts_from(z);
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
  Vector z(at.x.size(), 0);
  for (int round = 0; round < kRounds && refinement.steps_left() && all_finite(z); ++round) {
    const std::optional<double> found = refinement.bound(z);
    if (found && (!best || *found > *best)) best = found;
    if (!refinement.usable() || (best && *best >= enough)) break;
    const Vector step = refinement.solve(refinement.mapping());
    const std::optional<double> beside = refinement.bound_beside(step);
    if (beside && (!best || *beside > *best)) best = beside;
    if (best && *best >= enough) break;
    add_scaled(z, 1, step);
  }
  return best;
}

}  // namespace asynprox
