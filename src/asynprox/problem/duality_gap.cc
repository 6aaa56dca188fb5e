#include "asynprox/problem/duality_gap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace asynprox {
namespace {

// Of the objective: what may be left out of a bound.
constexpr double kNegligible = 1e-10;

Vector negated(std::span<const double> v) {
  Vector minus(v.begin(), v.end());
  scale(minus, -1);
  return minus;
}

// (1/n) sum_i w_i phi*(s phi'(u_i, y_i), y_i). At s = 1 it is <grad f(x), x> - f(x), since outputs
// are linear in x.
double loss_conjugate(const AnyFiniteSum& f, const EvaluatedModel& at, double s) {
  if (s == 1) return dot(at.gradient, at.x) - at.objective.loss;
  const std::size_t n = f.num_samples(), C = f.outputs();
  double total = 0;
  Vector found;
  for_samples(0, n, [&](Samples samples) {
    const std::size_t first = samples.front() * C, count = samples.size() * C;
    if (!at.outputs.empty()) {
      total += f.conjugate_sum(samples, std::span(at.outputs).subspan(first, count), s);
      return;
    }
    found.resize(count);
    f.outputs_at(at.x, samples, found);
    total += f.conjugate_sum(samples, found, s);
  });
  return total / static_cast<double>(n);
}

// `highest`: the objective of any model, so that the minimum is not above it.
std::optional<double> dual_value_at(const Problem& problem, const EvaluatedModel& at,
                                    double highest) {
  const Vector minus = negated(at.gradient);
  double best = -std::numeric_limits<double>::infinity();
  for (const double s : problem.h.dual_scales(minus)) {
    if (s == 0) continue;  // that bounds f alone
    if (s != 1 && problem.h.homogeneous() && problem.f.nonnegative())
      best = std::max(best, -loss_conjugate(problem.f, at, 1) - highest * (1 / s - 1));
    if (s != 1 && !problem.f.has_conjugate()) continue;
    Vector v = minus;
    scale(v, s);
    best = std::max(best, -loss_conjugate(problem.f, at, s) - problem.h.conjugate(v));
  }
  if (!std::isfinite(best)) return std::nullopt;
  return best;
}

// The derivatives of the losses, theta, are to sum to 0, and rounding left delta of their sum,
// which an intercept b multiplies: much, where the columns have large means m. To take delta off
// theta, spread over the samples as the means are weighted, changes the gradient by delta m, and
// the conjugate of f by <delta m, x> + delta b, but for terms in delta^2.
void center_gradient(const Problem& problem, EvaluatedModel& at) {
  const std::size_t free = problem.f.num_free(), seen = at.x.size() - free;
  const std::span<double> slopes = std::span(at.gradient).subspan(seen);
  const double rounding = std::abs(dot(slopes, std::span(at.x).subspan(seen)));
  if (rounding > kNegligible * std::abs(at.objective.total()))
    if (const std::optional<ColumnMoments> moments = problem.f.column_moments())
      for (std::size_t j = 0; j < seen; ++j) at.gradient[j] -= moments->means[j] * slopes[j % free];
  std::ranges::fill(slopes, 0.0);
}

}  // namespace

std::optional<double> dual_value(const Problem& problem, const EvaluatedModel& at) {
  if (!problem.f.convex() || !problem.h.has_conjugate()) return std::nullopt;
  if (!std::isfinite(at.objective.loss) || !all_finite(at.gradient)) return std::nullopt;
  const double highest = at.objective.total();
  if (problem.f.num_free() == 0) return dual_value_at(problem, at, highest);
  std::optional<Vector> solved = problem.f.best_intercept(at.x);
  if (!solved) return std::nullopt;
  EvaluatedModel there;
  there.x = std::move(*solved);
  there.objective.loss = value_and_gradient(problem.f, there.x, there.gradient);
  center_gradient(problem, there);
  return dual_value_at(problem, there, highest);
}

std::optional<double> stationarity_gap(const Problem& problem, std::span<const double> x,
                                       std::span<const double> gradient) {
  if (!problem.h.has_conjugate() || problem.f.num_free() > 0) return std::nullopt;
  if (!all_finite(gradient)) return std::nullopt;
  const Vector minus = negated(gradient);
  const double gap = dot(gradient, x) + problem.h.value(x) + problem.h.conjugate(minus);
  if (!std::isfinite(gap)) return std::nullopt;
  return std::max(0.0, gap);
}

}  // namespace asynprox
