#include "asynprox/certificates/balanced_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "asynprox/sums/best_shift.h"

namespace asynprox {
namespace {

// Of the sum of the |theta_i|: what rounding may have left of their sum.
constexpr double kRounding = 1e-15;

// The samples whose theta_i have the same sign, with their outputs at the model.
struct Side {
  std::vector<SampleIndex> samples;
  Vector outputs;
  double total = 0;   // the sum of w_i |theta_i|
  double factor = 1;  // of each theta_i
};

struct Sides {
  Side above, below;
  Vector scaled;  // w_i theta_i, times its side's factor
};

Sides sides_of(const AnyFiniteSum& f, std::span<const double> x) {
  const std::size_t n = f.num_samples();
  const std::vector<SampleIndex> all = all_samples(n);
  Vector outputs(n);
  Sides sides;
  sides.scaled.resize(n);
  f.linear()->outputs_at(x, all, outputs);
  f.linear()->scalars_of_outputs(all, outputs, sides.scaled);
  for (std::size_t i = 0; i < n; ++i) {
    Side& side = sides.scaled[i] > 0 ? sides.above : sides.below;
    side.samples.push_back(all[i]);
    side.outputs.push_back(outputs[i]);
    side.total += std::abs(sides.scaled[i]);
  }
  const double balanced = std::min(sides.above.total, sides.below.total);
  for (Side* const side : {&sides.above, &sides.below})
    if (side->total > balanced) side->factor = balanced / side->total;
  for (double& c : sides.scaled) c *= c > 0 ? sides.above.factor : sides.below.factor;
  return sides;
}

// (1/n) sum_i w_i phi*(s theta_i, y_i)
double conjugate_of(const AnyFiniteSum& f, const Sides& sides, double s) {
  double total = 0;
  for (const Side* const side : {&sides.above, &sides.below})
    total += f.dual()->conjugate_sum(side->samples, side->outputs, s * side->factor);
  return total / static_cast<double>(f.num_samples());
}

// -(1/n) sum_i w_i theta_i a_i, of columns without their means where these are known: the theta_i sum
// to 0, and rounding should not be as large as the columns are far from 0.
Vector minus_gradient(const AnyFiniteSum& f, Vector scalars) {
  const std::vector<SampleIndex> all = all_samples(f.num_samples());
  scale(scalars, -1 / static_cast<double>(f.num_samples()));
  Vector gradient(f.dimension(), 0);
  if (f.columns())
    f.columns()->centered_scatter(all, scalars, f.columns()->moments().means, gradient);
  else
    f.linear()->scatter(all, scalars, gradient);
  gradient.back() = 0;
  return gradient;
}

// What the bound may be wrong by, as the theta_i sum to delta only: see center_gradient in
// duality_gap.cc.
double slack(const AnyFiniteSum& f, const Sides& sides) {
  double output = 0;
  for (const Side* const side : {&sides.above, &sides.below})
    for (const double u : side->outputs) output += std::abs(u);
  const double n = static_cast<double>(f.num_samples());
  const double size = (sides.above.total * sides.above.factor) / n;
  return kRounding * size * output / n;
}

}  // namespace

bool every_model_has_bound(const Problem& problem) {
  if (!problem.f.convex() || !problem.h.has_conjugate() || !problem.f.dual()) return false;
  if (problem.f.num_free() > kShiftOutputsMax) return false;
  for (const double side : {1.0, -1.0})
    if (!(problem.h.dual_scale(Vector(problem.f.dimension(), side)) > 0)) return false;
  return true;
}

std::optional<double> balanced_dual_value(const Problem& problem, const EvaluatedModel& at) {
  const AnyFiniteSum& f = problem.f;
  if (!f.convex() || !problem.h.has_conjugate() || !f.dual() || f.outputs() != 1 ||
      f.num_free() != 1)
    return std::nullopt;
  const Sides sides = sides_of(f, at.x);
  const Vector minus = minus_gradient(f, sides.scaled);
  if (!all_finite(minus)) return std::nullopt;
  const double whole = conjugate_of(f, sides, 1), highest = at.objective.total();
  double best = -std::numeric_limits<double>::infinity();
  for (const double s : problem.h.dual_scales(minus)) {
    if (s == 0) continue;
    if (s != 1 && problem.h.homogeneous() && f.nonnegative())
      best = std::max(best, -whole - highest * (1 / s - 1));
    Vector v = minus;
    scale(v, s);
    best = std::max(best, -(s == 1 ? whole : conjugate_of(f, sides, s)) - problem.h.conjugate(v));
  }
  if (!std::isfinite(best)) return std::nullopt;
  return best - slack(f, sides);
}

}  // namespace asynprox
