// Conjugate gradients on the coordinates that are on smooth pieces of h.
#include <algorithm>
#include <cmath>
#include <utility>

#include "asynprox/refinements/class_descent.h"

namespace asynprox {
namespace {

constexpr int kProductsMax = 60;
constexpr double kProductGain = 0.0003;  // of all: a step that gains less is the last
constexpr double kResidue = 1e-8;        // of the first: less is none
constexpr double kShortest = 0.2;        // of a move together
constexpr double kUseful = 0.5;          // of what it would gain if nothing had to stop

constexpr double kSide = 1e-5;    // how far from v prox is tried, relative
constexpr double kSmooth = 1e-3;  // the slopes of prox on both sides differ by less
constexpr double kBend = 1e-6;    // of the curvature: less is rounding

}  // namespace

double ClassDescent::prox(std::size_t k, double v) const {
  const double eta = 1 / curvatures_[k];
  q_.h.prox(q_.keys.subspan(k, 1), {&v, 1}, {&eta, 1});
  return v;
}

// By how prox answers to v: its slope is 1 / (1 + eta h''), and 0 or none at a kink.
void ClassDescent::gather_smooth() {
  smooth_.clear();
  force_.clear();
  bends_.clear();
  for (const Unit& unit : active_) {
    const std::size_t k = unit.first;
    if (unit.count > 1 || z_[k] == 0) continue;
    const double slope_here = slope(k), v = z_[k] - slope_here / curvatures_[k];
    const double side = kSide * std::max(std::abs(v), 1e-300), here = prox(k, v);
    const double above = (prox(k, v + side) - here) / side;
    const double below = (here - prox(k, v - side)) / side;
    if (!(std::min(above, below) > kSmooth && std::abs(above - below) < kSmooth * above)) continue;
    const double bend = curvatures_[k] * std::max(0.0, 2 / (above + below) - 1);
    const double pull = (v - here) * curvatures_[k] + bend * (z_[k] - here);
    smooth_.push_back(unit.first);
    force_.push_back(-(slope_here + pull));
    bends_.push_back(bend > kBend * curvatures_[k] ? bend : 0);
  }
}

// Preconditioned by the curvatures. Returns what the model fell by.
double ClassDescent::move_together(bool& useful) {
  gather_smooth();
  const std::size_t size = smooth_.size();
  Vector moves(size, 0), direction(size), residue = force_;
  Image along = zero_image(), step = along;
  const auto scale_of = [&](std::size_t k) { return 1 / (curvatures_[smooth_[k]] + bends_[k]); };
  double length = 0, gained = 0;
  for (std::size_t k = 0; k < size; ++k) {
    direction[k] = scale_of(k) * residue[k];
    length += direction[k] * residue[k];
  }
  const double first = length;
  for (int product_number = 1; length > kResidue * first; ++product_number) {
    std::ranges::fill(step.v, 0.0F);
    std::ranges::fill(step.s, 0.0F);
    for (std::size_t k = 0; k < size; ++k) add(smooth_[k], direction[k], step);
    double square = squares(step, step);
    for (std::size_t k = 0; k < size; ++k) square += bends_[k] * direction[k] * direction[k];
    if (!(square > 0)) break;
    const double factor = length / square, gain = 0.5 * factor * length;
    gained += gain;
    const auto float_factor = static_cast<float>(factor);
    for (std::size_t i = 0; i < step.v.size(); ++i) along.v[i] += float_factor * step.v[i];
    for (std::size_t i = 0; i < step.s.size(); ++i) along.s[i] += float_factor * step.s[i];
    add_scaled(moves, factor, direction);
    if (product_number == kProductsMax || gain < kProductGain * gained) break;
    double next = 0;
    for (std::size_t k = 0; k < size; ++k) {
      residue[k] -= factor * (product(smooth_[k], step) + bends_[k] * direction[k]);
      next += residue[k] * residue[k] * scale_of(k);
    }
    const double turn = next / std::exchange(length, next);
    for (std::size_t k = 0; k < size; ++k)
      direction[k] = scale_of(k) * residue[k] + turn * direction[k];
  }
  const double got = gained > 0 ? take(moves, along) : 0;
  useful = got >= kUseful * gained;
  return got;
}

// What would cross zero or leave the set stops there; shorter, if the model would rise.
double ClassDescent::take(const Vector& moves, const Image& along) {
  const std::size_t size = smooth_.size();
  std::vector<Key> keys(size);
  Vector from(size);
  for (std::size_t k = 0; k < size; ++k) {
    keys[k] = q_.keys[smooth_[k]];
    from[k] = z_[smooth_[k]];
  }
  const double h_from = q_.h.value(keys, from);
  const Vector no_steps(size, 0);
  for (double t = 1; t > kShortest; t /= 2) {
    Image moved = along;
    for (float& v : moved.v) v *= static_cast<float>(t);
    for (float& s : moved.s) s *= static_cast<float>(t);
    Vector to = from;
    add_scaled(to, t, moves);
    q_.h.prox(keys, to, no_steps);
    double change = 0;
    for (std::size_t k = 0; k < size; ++k) {
      if (to[k] * from[k] < 0 && q_.h.sees(keys[k])) to[k] = 0;
      to[k] = within_reach(smooth_[k], to[k]);
      const double whole = t * moves[k], part = to[k] - from[k];
      if (std::abs(part - whole) > 1e-12 * std::abs(from[k])) add(smooth_[k], part - whole, moved);
      change += q_.gradient[smooth_[k]] * part;
    }
    change += squares(image_, moved) + 0.5 * squares(moved, moved) + q_.h.value(keys, to) - h_from;
    if (!(change < 0)) continue;
    for (std::size_t k = 0; k < size; ++k) z_[smooth_[k]] = to[k];
    for (std::size_t i = 0; i < moved.v.size(); ++i) image_.v[i] += moved.v[i];
    for (std::size_t i = 0; i < moved.s.size(); ++i) image_.s[i] += moved.s[i];
    return -change;
  }
  return 0;
}

}  // namespace asynprox
