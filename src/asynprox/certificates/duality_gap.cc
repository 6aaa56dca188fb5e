#include "asynprox/certificates/duality_gap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "asynprox/certificates/balanced_bound.h"

namespace asynprox {
namespace {

// Of the objective: what may be left out of a bound.
constexpr double kNegligible = 1e-10;

Vector negated(std::span<const double> v) {
  Vector minus(v.begin(), v.end());
  scale(minus, -1);
  return minus;
}

// (1/n) sum_i w_i phi*(s phi'(u_i, y_i), y_i)
double loss_conjugate(const AnyFiniteSum& f, const EvaluatedModel& at, double s) {
  const std::size_t n = f.num_samples(), C = f.outputs();
  const DualLoss& dual = *f.dual();
  double total = 0;
  Vector found;
  for_samples(0, n, [&](Samples samples) {
    const std::size_t first = samples.front() * C, count = samples.size() * C;
    if (!at.outputs.empty()) {
      total += dual.conjugate_sum(samples, std::span(at.outputs).subspan(first, count), s);
      return;
    }
    found.resize(count);
    f.linear()->outputs_at(at.x, samples, found);
    total += dual.conjugate_sum(samples, found, s);
  });
  return total / static_cast<double>(n);
}

}  // namespace

std::optional<double> dual_value_at(const Problem& problem, const EvaluatedModel& at,
                                    double conjugate, double highest) {
  const Vector minus = negated(at.gradient);
  double best = -std::numeric_limits<double>::infinity();
  for (const double s : problem.h.dual_scales(minus)) {
    if (s == 0) continue;  // that bounds f alone
    if (s != 1 && problem.h.homogeneous() && problem.f.nonnegative())
      best = std::max(best, -conjugate - highest * (1 / s - 1));
    if (s != 1 && !problem.f.dual()) continue;
    Vector v = minus;
    scale(v, s);
    const double losses = s == 1 ? conjugate : loss_conjugate(problem.f, at, s);
    best = std::max(best, -losses - problem.h.conjugate(v));
  }
  if (!std::isfinite(best)) return std::nullopt;
  return best;
}

namespace {

// At s = 1 it is <grad f(x), x> - f(x), since outputs are linear in x.
double conjugate_of_losses(const EvaluatedModel& at) {
  return dot(at.gradient, at.x) - at.objective.loss;
}

// The derivatives of the losses, theta, are to sum to 0, and rounding left delta of their sum. With
// means m of the columns, g the gradient and any model (y, b),
//
//   <g, y> + delta b = <g - delta m, y> + delta (b + m'y)
//
// The last term is delta times a mean output, at the minimum about the one at hand, u: small, even
// where the columns are far from 0 and b is large. In place: g becomes g - delta m and delta 0.
// Returns what may be wrong with the bound for that, |delta u|.
double center_gradient(const Problem& problem, EvaluatedModel& at) {
  const std::size_t free = problem.f.num_free(), seen = at.x.size() - free;
  const std::span<double> slopes = std::span(at.gradient).subspan(seen);
  Vector outputs(at.x.begin() + static_cast<std::ptrdiff_t>(seen), at.x.end());
  const auto slack = [&] {
    double sum = 0;
    for (std::size_t c = 0; c < free; ++c) sum += std::abs(slopes[c] * outputs[c]);
    return sum;
  };
  if (slack() > kNegligible * std::abs(at.objective.total()))
    if (const DataColumns* columns = problem.f.columns()) {
      const Vector means = columns->moments().means;
      for (std::size_t j = 0; j < seen; ++j) {
        outputs[j % free] += means[j] * at.x[j];
        at.gradient[j] -= means[j] * slopes[j % free];
      }
    }
  const double left = slack();
  std::ranges::fill(slopes, 0.0);
  return left;
}

}  // namespace

std::optional<double> dual_value(const Problem& problem, const EvaluatedModel& at) {
  if (!problem.f.convex() || !problem.h.has_conjugate()) return std::nullopt;
  if (!std::isfinite(at.objective.loss) || !all_finite(at.gradient)) return std::nullopt;
  const double highest = at.objective.total();
  if (problem.f.num_free() == 0)
    return dual_value_at(problem, at, conjugate_of_losses(at), highest);
  std::optional<Vector> solved = problem.f.best_intercept(at.x);
  if (!solved) return balanced_dual_value(problem, at);
  EvaluatedModel there;
  there.x = std::move(*solved);
  there.objective.loss = value_and_gradient(problem.f, there.x, there.gradient);
  const double slack = center_gradient(problem, there);
  const std::optional<double> dual =
      dual_value_at(problem, there, conjugate_of_losses(there), highest);
  return dual ? std::optional(*dual - slack) : std::nullopt;
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
