#include "asynprox/problem/duality_gap.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace asynprox {
namespace {

Vector negated(std::span<const double> v) {
  Vector minus(v.begin(), v.end());
  scale(minus, -1);
  return minus;
}

// (1/n) sum_i w_i phi*(s phi'(u_i, y_i), y_i). At s = 1 it is <grad f(x), x> - f(x), since outputs
// are linear in x.
double loss_conjugate(const AnyFiniteSum& f, std::span<const double> x, double value,
                      std::span<const double> gradient, double s) {
  if (s == 1) return dot(gradient, x) - value;
  const auto n = static_cast<double>(f.num_samples());
  return f.conjugate_sum(x, all_samples(f.num_samples()), s) / n;
}

std::optional<double> dual_value_at(const Problem& problem, std::span<const double> x, double value,
                                    std::span<const double> gradient) {
  const Vector minus = negated(gradient);
  double best = -std::numeric_limits<double>::infinity();
  for (const double s : problem.h.dual_scales(minus)) {
    if (s != 1 && !problem.f.has_conjugate()) continue;
    Vector v = minus;
    scale(v, s);
    best =
        std::max(best, -loss_conjugate(problem.f, x, value, gradient, s) - problem.h.conjugate(v));
  }
  if (!std::isfinite(best)) return std::nullopt;
  return best;
}

}  // namespace

std::optional<double> dual_value(const Problem& problem, std::span<const double> x, double value,
                                 std::span<const double> gradient) {
  if (!problem.f.convex() || !problem.h.has_conjugate()) return std::nullopt;
  if (!std::isfinite(value) || !all_finite(gradient)) return std::nullopt;
  if (problem.f.num_free() == 0) return dual_value_at(problem, x, value, gradient);
  const std::optional<Vector> solved = problem.f.best_intercept(x);
  if (!solved) return std::nullopt;
  Vector there;
  const double value_there = value_and_gradient(problem.f, *solved, there);
  // What rounding leaves of the intercept's slope.
  std::fill(there.end() - static_cast<std::ptrdiff_t>(problem.f.num_free()), there.end(), 0.0);
  return dual_value_at(problem, *solved, value_there, there);
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
