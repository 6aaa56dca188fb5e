#include "asynprox/sums/best_shift.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace asynprox {
namespace {

// What may be left of the slope at the minimum, of the mean size of a derivative.
constexpr double kSlopeLeft = 1e-9;

// The slopes of sum_i w_i phi(u_i + b, y_i), over the weights' sum, as functions of b.
class Slopes {
 public:
  Slopes(const AnyLoss& loss, std::span<const double> u, std::span<const double> y,
         std::span<const double> weights)
      : loss_(loss), u_(u), y_(y), weights_(weights), shifted_(u.size()), derivatives_(u.size()) {
    total_ = weights.empty() ? static_cast<double>(y.size())
                             : std::accumulate(weights.begin(), weights.end(), 0.0);
  }

  std::size_t outputs() const { return u_.size() / y_.size(); }

  Vector at(std::span<const double> b) {
    const std::size_t C = outputs();
    for (std::size_t i = 0; i < u_.size(); ++i) shifted_[i] = u_[i] + b[i % C];
    loss_.derivatives(shifted_, y_, derivatives_);
    Vector slopes(C, 0);
    for (std::size_t i = 0; i < y_.size(); ++i)
      add_scaled(slopes, (weights_.empty() ? 1 : weights_[i]) / total_,
                 std::span(derivatives_).subspan(i * C, C));
    return slopes;
  }
  double at(double b) { return at(std::span<const double>(&b, 1)).front(); }

  // How large a derivative is, where they were last taken.
  double size() const {
    double sum = 0;
    for (const double derivative : derivatives_) sum += std::abs(derivative);
    return sum / static_cast<double>(y_.size());
  }

 private:
  const AnyLoss& loss_;
  std::span<const double> u_, y_, weights_;
  double total_ = 0;
  Vector shifted_, derivatives_;
};

double largest(const Vector& v) {
  double largest = 0;
  for (const double v_j : v) largest = std::max(largest, std::abs(v_j));
  return largest;
}

// The slope of a convex function rises: its root is between two points that can be told apart no
// longer.
std::optional<double> root(Slopes& slopes) {
  constexpr double kFarthest = 0x1p60;
  double below = -1, above = 1;
  while (slopes.at(below) > 0 && below > -kFarthest) below *= 2;
  while (slopes.at(above) < 0 && above < kFarthest) above *= 2;
  for (int halvings = 0; halvings < 200; ++halvings) {
    const double middle = below + (above - below) / 2;
    if (middle == below || middle == above) break;
    (slopes.at(middle) < 0 ? below : above) = middle;
  }
  const double best = std::abs(slopes.at(below)) < std::abs(slopes.at(above)) ? below : above;
  if (!(std::abs(slopes.at(best)) <= kSlopeLeft * slopes.size()) || std::abs(best) >= kFarthest / 2)
    return std::nullopt;
  return best;
}

// Newton's step from b, by differences of the slopes. To add the same to every output may change
// nothing, so that the matrix is singular along ones: along these, no step is taken.
std::optional<Vector> newton_step(Slopes& slopes, const Vector& b, const Vector& slope) {
  constexpr double kDifference = 1e-6;
  const auto C = static_cast<Eigen::Index>(b.size());
  Eigen::MatrixXd hessian(C, C);
  const Eigen::Map<const Eigen::VectorXd> here(slope.data(), C);
  for (Eigen::Index c = 0; c < C; ++c) {
    Vector beside = b;
    beside[static_cast<std::size_t>(c)] += kDifference;
    const Vector there = slopes.at(beside);
    hessian.col(c) = (Eigen::Map<const Eigen::VectorXd>(there.data(), C) - here) / kDifference;
  }
  hessian.array() += hessian.trace() / static_cast<double>(C * C);
  const Eigen::VectorXd step = hessian.partialPivLu().solve(here);
  if (!step.allFinite()) return std::nullopt;
  return Vector(step.begin(), step.end());
}

std::optional<Vector> newton(Slopes& slopes) {
  Vector b(slopes.outputs(), 0);
  Vector slope = slopes.at(b);
  for (int round = 0; round < 50 && largest(slope) > 1e-15; ++round) {
    const std::optional<Vector> step = newton_step(slopes, b, slope);
    if (!step) break;
    double length = 1;
    Vector next, slope_there;
    for (int halvings = 0; halvings < 30; ++halvings, length /= 2) {
      next = b;
      add_scaled(next, -length, *step);
      slope_there = slopes.at(next);
      if (largest(slope_there) < largest(slope)) break;
    }
    if (!(largest(slope_there) < largest(slope))) break;
    b = next;
    slope = slope_there;
  }
  if (!(largest(slope) <= kSlopeLeft * slopes.size())) return std::nullopt;
  return b;
}

}  // namespace

std::optional<Vector> best_shift(const AnyLoss& loss, std::span<const double> u,
                                 std::span<const double> y, std::span<const double> weights) {
  Slopes slopes(loss, u, y, weights);
  if (slopes.outputs() > kShiftOutputsMax) return std::nullopt;
  if (slopes.outputs() > 1) return newton(slopes);
  const std::optional<double> b = root(slopes);
  return b ? std::optional(Vector{*b}) : std::nullopt;
}

}  // namespace asynprox
