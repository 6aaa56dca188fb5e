#include "asynprox/problem/span_search.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace asynprox {
namespace {

constexpr std::size_t kPointsMax = 3;
constexpr double kRidge = 1e-10;       // of H's diagonal, so that equal directions do no harm
constexpr double kWeightsMax = 100;    // beyond that the step is no Newton step any more
constexpr double kOutputsStep = 1e-4;  // of the outputs, for differences of derivatives
constexpr double kModelStep = 1e-7;    // of the model, relative, for differences of h

double largest(const Vector& v) {
  double most = 0;
  for (const double entry : v) most = std::max(most, std::abs(entry));
  return most;
}

Vector difference(const Vector& a, const Vector& b) {
  Vector c = a;
  add_scaled(c, -1, b);
  return c;
}

}  // namespace

struct SpanSearch::Step {
  Eigen::VectorXd weights;  // of the points before, newest first; none: there is no step
};

// d/dt h(x + t direction) at 0, from both sides; 0 where h is infinite on one.
double SpanSearch::slope_of_regularizer(const Vector& x, const Vector& direction) const {
  const double t = kModelStep * std::max(largest(x), 1e-3) / std::max(largest(direction), 1e-300);
  Vector ahead = x, behind = x;
  add_scaled(ahead, t, direction);
  add_scaled(behind, -t, direction);
  const double slope = (problem_.h.value(ahead) - problem_.h.value(behind)) / (2 * t);
  return std::isfinite(slope) ? slope : 0;
}

SpanSearch::Step SpanSearch::newton_step(const Point& at) const {
  const std::vector<SampleIndex> samples = all_samples(problem_.f.num_samples());
  const auto n = static_cast<double>(samples.size());
  const auto p = static_cast<Eigen::Index>(points_.size());
  Vector c = at.u, moved;
  problem_.f.scalars_of_outputs(samples, c, c);
  std::vector<Vector> U;
  U.reserve(points_.size());
  for (const Point& point : points_) U.push_back(difference(at.u, point.u));
  Eigen::VectorXd gradient(p);
  Eigen::MatrixXd H(p, p);
  for (Eigen::Index i = 0; i < p; ++i) {
    gradient[i] = dot(U[i], c) / n + slope_of_regularizer(at.x, difference(at.x, points_[i].x));
    const double size = largest(U[i]);
    if (size == 0) return {};
    const double t = kOutputsStep / size;
    moved = at.u;
    add_scaled(moved, t, U[i]);
    problem_.f.scalars_of_outputs(samples, moved, moved);
    add_scaled(moved, -1, c);
    // |phi''| instead of phi'': towards lower values where f is not convex.
    if (!problem_.f.convex())
      for (std::size_t s = 0; s < moved.size(); ++s) moved[s] = std::copysign(moved[s], U[i][s]);
    for (Eigen::Index j = 0; j < p; ++j) H(i, j) = dot(U[j], moved) / (t * n);
  }
  H = (0.5 * (H + H.transpose())).eval();
  H.diagonal() *= 1 + kRidge;
  Eigen::VectorXd weights = -H.ldlt().solve(gradient);
  const double total = weights.cwiseAbs().sum();
  if (!std::isfinite(total) || !(gradient.dot(weights) < 0)) return {};
  if (total > kWeightsMax) weights *= kWeightsMax / total;
  return {weights};
}

SpanSearch::Point SpanSearch::moved(const Point& at, const Step& step, double length) const {
  Point moved = at;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const double weight = length * step.weights[static_cast<Eigen::Index>(i)];
    for (std::size_t j = 0; j < at.x.size(); ++j)
      moved.x[j] += weight * (at.x[j] - points_[i].x[j]);
    for (std::size_t s = 0; s < at.u.size(); ++s)
      moved.u[s] += weight * (at.u[s] - points_[i].u[s]);
  }
  return moved;
}

std::optional<SpanSearch::Found> SpanSearch::try_step(Point& at, const Step& step,
                                                      double objective) const {
  const std::vector<SampleIndex> samples = all_samples(problem_.f.num_samples());
  for (const double length : {1.0, 0.3, 0.05}) {
    Point candidate = moved(at, step, length);
    const double h = problem_.h.value(candidate.x);
    if (!std::isfinite(h)) continue;
    const double loss =
        problem_.f.value_of_outputs(samples, candidate.u) / static_cast<double>(samples.size());
    if (!(loss + h < objective)) continue;
    at = std::move(candidate);
    return Found{at.x, {.loss = loss, .regularizer = h}};
  }
  return std::nullopt;
}

std::optional<SpanSearch::Found> SpanSearch::search(const Vector& x, const Vector& u,
                                                    double objective) {
  if (!std::isfinite(objective) || (!points_.empty() && objective > best_)) return std::nullopt;
  Point at = {x, u};
  std::optional<Found> found;
  if (!points_.empty()) {
    const Step step = newton_step(at);
    if (step.weights.size() > 0) found = try_step(at, step, objective);
  }
  best_ = found ? found->objective.total() : objective;
  points_.push_front(std::move(at));
  if (points_.size() > kPointsMax) points_.pop_back();
  return found;
}

}  // namespace asynprox
