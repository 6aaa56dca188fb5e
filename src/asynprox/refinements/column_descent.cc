#include "asynprox/refinements/column_descent.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "asynprox/linalg/sparse_columns.h"

namespace asynprox {
namespace {

// A coordinate at rest stays there, though the slope were so much larger: it is left out of the
// sweeps that follow.
constexpr double kFirmly = 1 / 0.9;

// Of the coordinates that move: if at most so many came to rest or left it, they move together.
constexpr double kTurned = 0.01;
constexpr int kProductsMax = 60;
constexpr double kProductGain = 0.003;  // of all: a step that gains less is the last
constexpr double kShortest = 0.2;       // of a move together
constexpr double kLeast = 1e-12;        // of the largest curvature

constexpr double kSide = 1e-5;    // how far from v prox is tried, relative
constexpr double kSmooth = 1e-3;  // the slopes of prox on both sides differ by less

}  // namespace

ColumnDescent::ColumnDescent(Quadratic quadratic)
    : q_(std::move(quadratic)),
      kernels_(column_kernels()),
      begin_(q_.columns.size() + 1, 0),
      roots_(q_.weights.size()),
      weighted_(q_.columns.size()),
      curvatures_(q_.columns.size()),
      z_(q_.x),
      residual_{.r = std::vector<float>(q_.weights.size(), 0)} {
  const std::size_t size = q_.columns.size();
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    roots_[i] = static_cast<float>(std::sqrt(q_.weights[i]));
    weight_ += static_cast<double>(roots_[i]) * static_cast<double>(roots_[i]);
  }
  for (std::size_t k = 0; k < size; ++k) begin_[k + 1] = begin_[k] + q_.columns[k].length;
  // Zeros would cost as much as a sweep.
  scaled_ = std::make_unique_for_overwrite<float[]>(begin_[size] + SparseColumns::read_beyond);
  std::fill_n(&scaled_[begin_[size]], SparseColumns::read_beyond, 0.0F);
  double largest = 0;
  for (std::size_t k = 0; k < size; ++k) {
    const double square = kernels_.scale(q_.columns[k], roots_.data(), &scaled_[begin_[k]]);
    weighted_[k] = q_.means || q_.offsets[k] != 0 ? kernels_.dot(scaled(k), roots_.data()) : 0;
    if (q_.means) q_.offsets[k] = weighted_[k] / weight_;
    const double offset = q_.offsets[k];
    curvatures_[k] = square - 2 * offset * weighted_[k] + offset * offset * weight_;
    largest = std::max(largest, curvatures_[k]);
  }
  for (double& curvature : curvatures_) curvature = std::max(curvature, kLeast * largest);
  entries_read_ += static_cast<std::int64_t>(begin_[size]) * (q_.means ? 2 : 1);
}

ColumnSpan ColumnDescent::scaled(std::size_t k) const {
  return {q_.columns[k].rows, &scaled_[begin_[k]], q_.columns[k].length};
}

double ColumnDescent::product(std::size_t k, const Residual& residual) const {
  entries_read_ += static_cast<std::int64_t>(q_.columns[k].length);
  return kernels_.dot(scaled(k), residual.r.data()) + residual.shift * weighted_[k] -
         q_.offsets[k] * residual.total;
}

double ColumnDescent::slope(std::size_t k) const { return q_.gradient[k] + product(k, residual_); }

void ColumnDescent::add(std::size_t k, double move, Residual& residual) const {
  entries_read_ += static_cast<std::int64_t>(q_.columns[k].length);
  kernels_.add(static_cast<float>(move), scaled(k), residual.r.data());
  residual.shift -= q_.offsets[k] * move;
  residual.total += move * (weighted_[k] - q_.offsets[k] * weight_);
}

double ColumnDescent::prox(std::size_t k, double v) const {
  const double eta = 1 / curvatures_[k];
  q_.h.prox_each(q_.keys.subspan(k, 1), {&v, 1}, {&eta, 1});
  return v;
}

double ColumnDescent::within_reach(std::size_t k, double z) const {
  if (q_.reaches.empty()) return z;
  return std::clamp(z, q_.x[k] - q_.reaches[k], q_.x[k] + q_.reaches[k]);
}

// Would it, with a slope somewhat larger?
bool ColumnDescent::moves(std::size_t k, double slope) const {
  return prox(k, z_[k] - kFirmly * slope / curvatures_[k]) != z_[k];
}

double ColumnDescent::sweep(std::size_t& turned) {
  double gained = 0;
  std::size_t kept = 0;
  turned = 0;
  for (const std::uint32_t k : active_) {
    const double slope_here = slope(k), before = z_[k];
    const double after = within_reach(k, prox(k, before - slope_here / curvatures_[k]));
    const double move = after - before;
    if (move != 0) {
      add(k, move, residual_);
      z_[k] = after;
      gained += 0.5 * curvatures_[k] * move * move;
      turned += (before == 0) != (after == 0) ? 1 : 0;
    }
    if (move != 0 || moves(k, slope_here)) active_[kept++] = k;
  }
  active_.resize(kept);
  return gained;
}

// By how prox answers to v: its slope is 1 / (1 + eta h''), and 0 or none at a kink.
void ColumnDescent::gather_smooth() {
  smooth_.clear();
  force_.clear();
  bends_.clear();
  for (const std::uint32_t k : active_) {
    const double slope_here = slope(k), v = z_[k] - slope_here / curvatures_[k];
    const double side = kSide * std::max(std::abs(v), 1e-300), here = prox(k, v);
    const double above = (prox(k, v + side) - here) / side;
    const double below = (here - prox(k, v - side)) / side;
    if (!(std::min(above, below) > kSmooth && std::abs(above - below) < kSmooth * above)) continue;
    if (z_[k] == 0) continue;  // on its way from a kink: that is for sweeps
    const double bend = curvatures_[k] * std::max(0.0, 2 / (above + below) - 1);
    const double pull = (v - here) * curvatures_[k] + bend * (z_[k] - here);
    smooth_.push_back(k);
    force_.push_back(-(slope_here + pull));
    bends_.push_back(bend > 1e-6 * curvatures_[k] ? bend : 0);
  }
}

double ColumnDescent::squares(const Residual& a, const Residual& b) const {
  double lanes[8] = {};
  const std::size_t size = roots_.size();
  const auto term = [&](std::size_t i) {
    const double root = static_cast<double>(roots_[i]);
    return (static_cast<double>(a.r[i]) + a.shift * root) *
           (static_cast<double>(b.r[i]) + b.shift * root);
  };
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8)
    for (std::size_t lane = 0; lane < 8; ++lane) lanes[lane] += term(i + lane);
  for (std::size_t lane = 0; i < size; ++i, ++lane) lanes[lane] += term(i);
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
         ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

// Preconditioned by the curvatures. Returns what the model fell by.
double ColumnDescent::move_together() {
  gather_smooth();
  const std::size_t size = smooth_.size();
  if (size == 0) return 0;
  Vector moves(size, 0), direction(size), residue = force_;
  Residual along{.r = std::vector<float>(roots_.size(), 0)}, step = along;
  double length = 0;
  const auto scale_of = [&](std::size_t k) { return 1 / (curvatures_[smooth_[k]] + bends_[k]); };
  for (std::size_t k = 0; k < size; ++k) {
    direction[k] = scale_of(k) * residue[k];
    length += direction[k] * residue[k];
  }
  const double first = length;
  double gained = 0;
  for (int product_number = 1; length > 0; ++product_number) {
    std::ranges::fill(step.r, 0.0F);
    step.shift = step.total = 0;
    double square = 0;
    for (std::size_t k = 0; k < size; ++k) {
      add(smooth_[k], direction[k], step);
      square += bends_[k] * direction[k] * direction[k];
    }
    square += squares(step, step);
    if (!(square > 0)) break;
    const double factor = length / square, gain = 0.5 * factor * length;
    gained += gain;
    for (std::size_t i = 0; i < along.r.size(); ++i)
      along.r[i] += static_cast<float>(factor) * step.r[i];
    along.shift += factor * step.shift;
    along.total += factor * step.total;
    for (std::size_t k = 0; k < size; ++k) moves[k] += factor * direction[k];
    if (product_number == kProductsMax || gain < kProductGain * gained || length < 1e-8 * first)
      break;
    double next = 0;
    for (std::size_t k = 0; k < size; ++k) {
      residue[k] -= factor * (product(smooth_[k], step) + bends_[k] * direction[k]);
      next += residue[k] * residue[k] * scale_of(k);
    }
    const double turn = next / length;
    length = next;
    for (std::size_t k = 0; k < size; ++k)
      direction[k] = scale_of(k) * residue[k] + turn * direction[k];
  }
  return take(moves, along);
}

// What would cross zero or leave the set stops there; shorter, if the model would rise.
double ColumnDescent::take(const Vector& moves, const Residual& along) {
  const std::size_t size = smooth_.size();
  std::vector<Key> keys(size);
  Vector from(size);
  for (std::size_t k = 0; k < size; ++k) {
    keys[k] = q_.keys[smooth_[k]];
    from[k] = z_[smooth_[k]];
  }
  const double h_from = q_.h.value_each(keys, from);
  const Vector no_steps(size, 0);
  for (double t = 1; t > kShortest; t /= 2) {
    Residual moved = along;
    for (float& r : moved.r) r *= static_cast<float>(t);
    moved.shift *= t;
    moved.total *= t;
    Vector to = from;
    add_scaled(to, t, moves);
    q_.h.prox_each(keys, to, no_steps);
    double change = 0;
    for (std::size_t k = 0; k < size; ++k) {
      if (to[k] * from[k] < 0) to[k] = 0;
      to[k] = within_reach(smooth_[k], to[k]);
      const double whole = t * moves[k], part = to[k] - from[k];
      if (std::abs(part - whole) > 1e-12 * std::abs(from[k])) add(smooth_[k], part - whole, moved);
      change += q_.gradient[smooth_[k]] * part;
    }
    change += squares(residual_, moved) + 0.5 * squares(moved, moved) + q_.h.value_each(keys, to) -
              h_from;
    if (!(change < 0)) continue;
    for (std::size_t k = 0; k < size; ++k) z_[smooth_[k]] = to[k];
    for (std::size_t i = 0; i < moved.r.size(); ++i) residual_.r[i] += moved.r[i];
    residual_.shift += moved.shift;
    residual_.total += moved.total;
    return -change;
  }
  return 0;
}

double ColumnDescent::minimize(const Effort& effort) {
  double gained = 0;
  active_.resize(z_.size());
  std::iota(active_.begin(), active_.end(), 0U);
  for (int sweeps = 0; sweeps < effort.sweeps; ++sweeps) {
    if (effort.stop && effort.stop()) break;
    const bool all = active_.size() == z_.size();
    std::size_t turned = 0;
    const double fell = sweep(turned);
    gained += fell;
    if (fell <= effort.share * gained) {
      if (all || !effort.together) break;
      active_.resize(z_.size());
      std::iota(active_.begin(), active_.end(), 0U);
      continue;
    }
    if (effort.together &&
        static_cast<double>(turned) <= kTurned * static_cast<double>(active_.size()) + 1)
      gained += move_together();
  }
  return gained;
}

}  // namespace asynprox
