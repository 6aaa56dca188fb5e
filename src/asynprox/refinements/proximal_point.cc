#include "asynprox/refinements/proximal_point.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "asynprox/refinements/dual_system.h"

namespace asynprox {
namespace {

// How far a point may be from the one before, in the metrics, and how these grow.
constexpr double kFirst = 10, kGrowth = 10, kGrowthSlow = 2, kMost = 1e8;

// Of the last distance: where the next search begins.
constexpr double kBack = 0.01;

// Newton steps to a point: more, and the metrics grow slowly; or it is left as it is.
constexpr int kQuickly = 12, kStepsMax = 50;

// Of the distance to the point before, squared: what the dual may still gain, and what may be missing.
constexpr double kAccuracy = 0.1;

constexpr int kHalvingsMax = 30;
constexpr double kSufficient = 1e-4;      // of what the slope promises
constexpr double kRounding = 1e-14;       // of the dual
constexpr double kFewer = 0.9;            // of what is missing: a step that leaves more is none
constexpr double kRoundingOfAll = 1e-13;  // of the objective
constexpr double kSide = 1e-9;            // how far from v prox is tried, relative
constexpr double kRests = 1e-3;  // the slope of prox is less: the coordinate rests at a kink

}  // namespace

ProximalPoint::ProximalPoint(Start start)
    : s_(std::move(start)),
      n_(static_cast<double>(s_.outputs.size())),
      multipliers_(s_.scalars),
      x_(s_.x),
      u_(s_.outputs),
      b_(s_.b),
      best_x_(s_.x),
      best_b_(s_.b) {
  scale(multipliers_, 1 / n_);
  OutputsProx here{.outputs = s_.outputs, .scalars = {}, .curvatures = {}};
  prox_of_outputs(s_.problem.f, s_.outputs, 0, here);
  // About the curvature of the losses that are curved.
  double curvature = 0, total = 0;
  for (const double c : here.curvatures) {
    curvature += c * c;
    total += c;
  }
  curvature = total > 0 && std::isfinite(curvature) ? curvature / total : 1;
  for (const ColumnSpan& column : s_.columns) {
    double square = 0;
    for (std::size_t e = 0; e < column.length; ++e)
      square += static_cast<double>(column.values[e]) * static_cast<double>(column.values[e]);
    metric_.push_back((square > 0 ? square : 1) * curvature / n_);
  }
  metric_of_b_ = curvature;
  sigma_ = kFirst;
  tau_ = kFirst * n_ / curvature;
}

Vector ProximalPoint::outputs_of(const Vector& x, double b) const {
  Vector outputs = s_.outputs;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (const double move = x[k] - s_.x[k]; move != 0) {
      add_in_doubles(s_.columns[k], move, outputs);
      work_ += static_cast<std::int64_t>(s_.columns[k].length);
    }
  if (b != s_.b)
    for (double& u : outputs) u += b - s_.b;
  return outputs;
}

ProximalPoint::Dual ProximalPoint::dual_at(Vector y, const Vector& u_before) const {
  const std::size_t n = y.size(), p = s_.columns.size();
  Dual at;
  Vector change = y, etas(p), centres(n);
  add_scaled(change, -1, multipliers_);
  at.slopes = s_.gradient;
  at.x.resize(p);
  for (std::size_t k = 0; k < p; ++k) {
    at.slopes[k] += dot_in_doubles(s_.columns[k], change);
    work_ += static_cast<std::int64_t>(s_.columns[k].length);
    etas[k] = sigma_ / metric_[k];
    at.x[k] = x_[k] - etas[k] * at.slopes[k];
  }
  s_.problem.h.prox_each(s_.keys, at.x, etas);
  at.b = b_;
  if (s_.intercept) {
    at.slope_of_b = s_.slope + sum(change);
    at.b -= sigma_ / metric_of_b_ * at.slope_of_b;
  }
  for (std::size_t i = 0; i < n; ++i) centres[i] = u_[i] + tau_ * y[i];
  OutputsProx found{.outputs = u_before, .scalars = {}, .curvatures = {}};
  if (!all_finite(at.x) || !prox_of_outputs(s_.problem.f, centres, tau_, found)) return at;
  at.outputs = outputs_of(at.x, at.b);
  at.residual = at.outputs;
  add_scaled(at.residual, -1, found.outputs);
  at.u = std::move(found.outputs);
  at.curvatures = std::move(found.curvatures);
  at.y = std::move(y);
  at.h = s_.problem.h.value_each(s_.keys, at.x);
  at.value = loss_of_outputs(s_.problem.f, at.u) + at.h + 0.5 * moved(at) + dot(at.y, at.residual);
  at.valid = std::isfinite(at.value);
  return at;
}

// |x - x_k|_D^2 / sigma + |u - u_k|^2 / tau
double ProximalPoint::moved(const Dual& at) const {
  double of_x = 0, of_u = 0;
  for (std::size_t k = 0; k < x_.size(); ++k)
    of_x += metric_[k] * (at.x[k] - x_[k]) * (at.x[k] - x_[k]);
  if (s_.intercept) of_x += metric_of_b_ * (at.b - b_) * (at.b - b_);
  for (std::size_t i = 0; i < u_.size(); ++i) of_u += (at.u[i] - u_[i]) * (at.u[i] - u_[i]);
  return of_x / sigma_ + of_u / tau_;
}

// Of the prox at v, by differences: 1 / (1 + eta h''), 0 at a kink.
Vector ProximalPoint::slopes_of_prox(const Dual& at) const {
  const std::size_t p = x_.size();
  Vector etas(p), above(p), below(p), slopes(p);
  for (std::size_t k = 0; k < p; ++k) {
    etas[k] = sigma_ / metric_[k];
    const double v = x_[k] - etas[k] * at.slopes[k];
    slopes[k] = kSide * std::max(std::abs(v), 1e-300);
    above[k] = v + slopes[k];
    below[k] = v - slopes[k];
  }
  s_.problem.h.prox_each(s_.keys, above, etas);
  s_.problem.h.prox_each(s_.keys, below, etas);
  for (std::size_t k = 0; k < p; ++k)
    slopes[k] = std::clamp((above[k] - below[k]) / (2 * slopes[k]), 0.0, 1.0);
  return slopes;
}

Vector ProximalPoint::direction(const Dual& at, double accuracy) {
  const Vector slopes = slopes_of_prox(at);
  std::vector<ColumnSpan> columns;
  Vector factors, diagonal(u_.size());
  for (std::size_t k = 0; k < slopes.size(); ++k) {
    if (!(slopes[k] > kRests) || s_.columns[k].length == 0) continue;
    columns.push_back(s_.columns[k]);
    factors.push_back(slopes[k] * sigma_ / metric_[k]);
  }
  for (std::size_t i = 0; i < diagonal.size(); ++i)
    diagonal[i] = tau_ / (1 + tau_ * at.curvatures[i] / n_);
  DualSolution solution = solve({.columns = columns,
                                 .factors = factors,
                                 .diagonal = diagonal,
                                 .constant = s_.intercept ? sigma_ / metric_of_b_ : 0},
                                at.residual, accuracy);
  work_ += solution.work;
  return std::move(solution.p);
}

// What is missing to u = A x, in the losses' own metric.
double ProximalPoint::missing(const Dual& at) const {
  double square = 0;
  for (std::size_t i = 0; i < u_.size(); ++i)
    square += std::max(at.curvatures[i], metric_of_b_) * at.residual[i] * at.residual[i];
  return square / n_;
}

// Where the dual's value is rounding, by what is missing.
bool ProximalPoint::climbed(const Dual& from, const Dual& to, double expected) const {
  const double rose = to.value - from.value, rounding = kRounding * std::abs(from.value);
  return to.valid && (rose >= kSufficient * expected + rounding ||
                      (rose >= -rounding && missing(to) < kFewer * missing(from)));
}

bool ProximalPoint::find_point(Dual& at, const std::function<bool()>& stop) {
  double accuracy = 0.1;
  for (newton_steps_ = 0; newton_steps_ < kStepsMax; ++newton_steps_) {
    if (stop()) return false;
    const Vector p = direction(at, accuracy);
    const double rises = dot(p, at.residual);
    if (!(rises > 0) || !all_finite(p)) return newton_steps_ > 0;
    if (rises + missing(at) <= kAccuracy * moved(at)) return true;
    bool found = false;
    double t = 1;
    for (int halvings = 0; halvings < kHalvingsMax && !found; ++halvings, t /= 2) {
      Vector y = at.y;
      add_scaled(y, t, p);
      Dual next = dual_at(std::move(y), at.u);
      found = climbed(at, next, t * rises);
      if (found) at = std::move(next);
    }
    if (!found) return newton_steps_ > 0;
    accuracy = std::max(1e-8, 0.3 * accuracy);
  }
  return true;
}

void ProximalPoint::go_to(const Dual& at, double eta) {
  x_ = at.x;
  b_ = at.b;
  u_ = at.outputs;
  violation_ = violation(eta);
  const double objective = loss_of_outputs(s_.problem.f, u_) + at.h;
  const double fell = best_ - objective, rounding = kRoundingOfAll * std::abs(best_);
  if (!(fell > rounding || (fell >= -rounding && violation_ < best_violation_))) return;
  better_ = true;
  best_ = objective;
  best_violation_ = violation_;
  best_x_ = x_;
  best_b_ = b_;
}

double ProximalPoint::violation(double eta) const {
  OutputsProx here{.outputs = u_, .scalars = {}, .curvatures = {}};
  prox_of_outputs(s_.problem.f, u_, 0, here);
  Vector change = std::move(here.scalars), moved = x_;
  scale(change, 1 / n_);
  add_scaled(change, -1, multipliers_);
  for (std::size_t k = 0; k < moved.size(); ++k)
    moved[k] -= eta * (s_.gradient[k] + dot_in_doubles(s_.columns[k], change));
  s_.problem.h.prox_each(s_.keys, moved, Vector(moved.size(), eta));
  double largest = 0;
  for (std::size_t k = 0; k < moved.size(); ++k)
    largest = std::max(largest, std::abs(moved[k] - x_[k]) / eta);
  return largest;
}

ProximalPoint::Found ProximalPoint::minimize(const Effort& effort) {
  if (effort.distance > 0) {
    tau_ *= effort.distance / sigma_;
    sigma_ = effort.distance;
  }
  // Of other coordinates h stays as it is.
  best_ = loss_of_outputs(s_.problem.f, s_.outputs) + s_.problem.h.value_each(s_.keys, s_.x);
  best_violation_ = violation(effort.eta);
  const double first = best_;
  const auto stop = [&] { return work_ >= effort.work || (effort.stop && effort.stop()); };
  Dual at = dual_at(multipliers_, s_.outputs);
  for (int point = 0; point < effort.points && at.valid; ++point) {
    if (!find_point(at, stop)) break;
    go_to(at, effort.eta);
    if (violation_ <= effort.violation) break;
    const double growth =
        std::min(newton_steps_ <= kQuickly ? kGrowth : kGrowthSlow, kMost / sigma_);
    sigma_ *= growth;
    tau_ *= growth;
    at = dual_at(std::move(at.y), at.u);
  }
  return {.better = better_, .fell = first - best_, .distance = std::max(kFirst, sigma_ * kBack)};
}

}  // namespace asynprox
