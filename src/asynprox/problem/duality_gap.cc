#include "asynprox/problem/duality_gap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace asynprox {
namespace {

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

std::optional<double> dual_value_at(const Problem& problem, const EvaluatedModel& at) {
  const Vector minus = negated(at.gradient);
  double best = -std::numeric_limits<double>::infinity();
  for (const double s : problem.h.dual_scales(minus)) {
    if (s != 1 && !problem.f.has_conjugate()) continue;
    Vector v = minus;
    scale(v, s);
    best = std::max(best, -loss_conjugate(problem.f, at, s) - problem.h.conjugate(v));
  }
  if (!std::isfinite(best)) return std::nullopt;
  return best;
}

}  // namespace

std::optional<double> dual_value(const Problem& problem, const EvaluatedModel& at) {
  if (!problem.f.convex() || !problem.h.has_conjugate()) return std::nullopt;
  if (!std::isfinite(at.objective.loss) || !all_finite(at.gradient)) return std::nullopt;
  if (problem.f.num_free() == 0) return dual_value_at(problem, at);
  std::optional<Vector> solved = problem.f.best_intercept(at.x);
  if (!solved) return std::nullopt;
  EvaluatedModel there;
  there.x = std::move(*solved);
  there.objective.loss = value_and_gradient(problem.f, there.x, there.gradient);
  // What rounding leaves of the intercept's slope.
  std::fill(there.gradient.end() - static_cast<std::ptrdiff_t>(problem.f.num_free()),
            there.gradient.end(), 0.0);
  return dual_value_at(problem, there);
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
