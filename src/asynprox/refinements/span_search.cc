#include "asynprox/refinements/span_search.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <utility>

namespace asynprox {
namespace {

constexpr std::size_t kPointsMax = 3;
constexpr double kRidge = 1e-10;       // of H's diagonal, so that equal directions do no harm
constexpr double kWeightsMax = 100;    // beyond that the step is no Newton step any more
constexpr double kRoundingMax = 1e3;   // of outputs, over that of an evaluation's
constexpr double kOutputsStep = 1e-4;  // of the outputs, for differences of derivatives
constexpr double kModelStep = 1e-7;    // of the model, relative, for differences of h
constexpr double kDecrease = 1e-12;    // of the objective: less is rounding

Eigen::Map<const Eigen::ArrayXd> array(const Vector& v) {
  return {v.data(), static_cast<Eigen::Index>(v.size())};
}
Eigen::Map<Eigen::ArrayXd> array(Vector& v) {
  return {v.data(), static_cast<Eigen::Index>(v.size())};
}

double largest(const Vector& v) { return v.empty() ? 0 : array(v).abs().maxCoeff(); }

}  // namespace

// F along the directions to the points, to second order.
struct SpanSearch::Quadratic {
  Eigen::VectorXd gradient;
  Eigen::MatrixXd hessian;
};

// d/dt h(x + t direction) at 0, from both sides, or from the one where h is finite.
double SpanSearch::slope_of_regularizer(const Vector& x, const Vector& direction) const {
  const double t = kModelStep * std::max(largest(x), 1e-3) / std::max(largest(direction), 1e-300);
  const auto value_at = [&](double length) {
    Vector moved = x;
    add_scaled(moved, length, direction);
    return problem_.h.value(moved);
  };
  const double ahead = value_at(t), behind = value_at(-t);
  if (std::isfinite(ahead) && std::isfinite(behind)) return (ahead - behind) / (2 * t);
  const double here = problem_.h.value(x);
  const double slope = std::isfinite(ahead) ? (ahead - here) / t : (here - behind) / t;
  return std::isfinite(slope) ? slope : 0;
}

// Outputs of consecutive samples, few enough to stay in a near cache.
struct SpanSearch::Block {
  Samples samples;
  Eigen::Map<const Eigen::ArrayXd> outputs, scalars;
  Eigen::ArrayXXd moved;  // since each of the points
  Eigen::ArrayXXd bent;   // that times F'' of each output; where f is not convex, |F''|
};

void SpanSearch::bend(Block& block) {
  const LinearPredictor& linear = *problem_.f.linear();
  const bool convex = problem_.f.convex();
  scratch_.resize(block.outputs.size());
  block.bent.resizeLike(block.moved);
  if (problem_.f.outputs() == 1) {
    const std::size_t size = block.samples.size();
    linear.curvatures_of_outputs(block.samples, {block.outputs.data(), size},
                                 {block.scalars.data(), size}, scratch_);
    if (!convex) array(scratch_) = array(scratch_).abs();
    block.bent = block.moved.colwise() * array(scratch_);
    return;
  }
  for (Eigen::Index i = 0; i < block.moved.cols(); ++i) {
    auto moved = block.moved.col(i), bent = block.bent.col(i);
    const double t = kOutputsStep / std::max(moved.abs().maxCoeff(), 1e-300);
    // dF/du a little further, less that here.
    array(scratch_) = block.outputs + t * moved;
    linear.scalars_of_outputs(block.samples, scratch_, scratch_);
    bent = (array(scratch_) - block.scalars) / t;
    if (!convex) bent = bent.abs() * moved.sign();
  }
}

SpanSearch::Quadratic SpanSearch::quadratic(const EvaluatedModel& at) {
  const auto p = static_cast<Eigen::Index>(points_.size());
  const std::size_t n = problem_.f.num_samples(), C = problem_.f.outputs();
  Quadratic sum = {Eigen::VectorXd::Zero(p), Eigen::MatrixXd::Zero(p, p)};
  for_samples(0, n, [&](Samples samples) {
    const auto part = [&](const Vector& v) {
      return Eigen::Map<const Eigen::ArrayXd>(&v[samples.front() * C],
                                              static_cast<Eigen::Index>(samples.size() * C));
    };
    Block block = {samples, part(at.outputs), part(at.scalars), {}, {}};
    block.moved.resize(block.outputs.size(), p);
    for (Eigen::Index i = 0; i < p; ++i)
      block.moved.col(i) = block.outputs - part(points_[i].outputs);
    bend(block);
    sum.gradient += block.moved.matrix().transpose() * block.scalars.matrix();
    for (Eigen::Index i = 0; i < p; ++i)
      for (Eigen::Index j = 0; j < p; ++j)
        sum.hessian(i, j) += block.moved.col(i).matrix().dot(block.bent.col(j).matrix());
  });
  sum.gradient /= static_cast<double>(n);
  sum.hessian = (0.5 / static_cast<double>(n) * (sum.hessian + sum.hessian.transpose())).eval();
  return sum;
}

std::optional<Vector> SpanSearch::newton_step(const EvaluatedModel& at) {
  Quadratic local = quadratic(at);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    Vector direction = at.x;
    add_scaled(direction, -1, points_[i].x);
    local.gradient[static_cast<Eigen::Index>(i)] += slope_of_regularizer(at.x, direction);
  }
  local.hessian.diagonal() *= 1 + kRidge;
  Eigen::VectorXd weights = -local.hessian.ldlt().solve(local.gradient);
  const double total = weights.cwiseAbs().sum();
  if (!std::isfinite(total)) return std::nullopt;
  if (!(-local.gradient.dot(weights) > kDecrease * std::abs(at.objective.total())))
    return std::nullopt;
  if (total > kWeightsMax) weights *= kWeightsMax / total;
  return Vector(weights.begin(), weights.end());
}

void SpanSearch::move(const EvaluatedModel& at, const Vector& weights, double length,
                      Point& to) const {
  to.x = at.x;
  to.outputs = at.outputs;
  to.rounding = 1;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const double weight = length * weights[i];
    array(to.x) += weight * (array(at.x) - array(points_[i].x));
    array(to.outputs) += weight * (array(at.outputs) - array(points_[i].outputs));
    to.rounding += std::abs(weight) * (1 + points_[i].rounding);
  }
}

std::optional<Objective> SpanSearch::try_step(const EvaluatedModel& at, const Vector& weights) {
  for (const double length : {1.0, 0.3, 0.05}) {
    move(at, weights, length, candidate_);
    const double h = problem_.h.value(candidate_.x);
    if (!std::isfinite(h)) continue;
    const double loss = loss_of_outputs(problem_.f, candidate_.outputs);
    if (loss + h < at.objective.total()) return Objective{.loss = loss, .regularizer = h};
  }
  return std::nullopt;
}

void SpanSearch::keep(Point& point) {
  Point unused;
  if (points_.size() == kPointsMax) {
    unused = std::move(points_.back());
    points_.pop_back();
  }
  points_.push_front(std::exchange(point, std::move(unused)));
}

std::optional<SpanSearch::Found> SpanSearch::search(const EvaluatedModel& at) {
  if (!std::isfinite(at.objective.total()) || (!points_.empty() && at.objective.total() > best_))
    return std::nullopt;
  std::optional<Objective> found;
  if (!points_.empty())
    if (const auto weights = newton_step(at)) found = try_step(at, *weights);
  if (!found) {
    candidate_.x = at.x;
    candidate_.outputs = at.outputs;
    candidate_.rounding = 1;
  }
  best_ = found ? found->total() : at.objective.total();
  keep(candidate_);
  if (!found) return std::nullopt;
  const Point& newest = points_.front();
  return Found{newest.x, *found, newest.rounding > kRoundingMax};
}

bool SpanSearch::settle(const EvaluatedModel& found, const EvaluatedModel& before) {
  if (!(found.objective.total() < before.objective.total())) {
    points_.clear();
    return false;
  }
  Point& newest = points_.front();
  newest.outputs = found.outputs;
  newest.rounding = 1;
  best_ = found.objective.total();
  return true;
}

}  // namespace asynprox
