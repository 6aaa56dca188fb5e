#include "asynprox/refinements/class_descent.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace asynprox {
namespace {

// A unit at rest stays there, though the slope were so much larger: it is left out of the sweeps
// that follow.
constexpr double kFirmly = 1 / 0.9;

// Of the units that move: if at most so many came to rest or left it, they move together.
constexpr double kTurned = 0.01;
constexpr double kLeast = 1e-12;  // of the largest curvature

}  // namespace

ClassDescent::ClassDescent(Quadratic quadratic)
    : q_(std::move(quadratic)),
      kernels_(class_kernels()),
      n_(q_.weights.num_samples),
      scale_(1 / static_cast<double>(n_)),
      curvatures_(q_.keys.size()),
      z_(q_.x),
      image_(zero_image()) {
  const ClassWeights& weights = q_.weights;
  wp_.resize(weights.w.empty() ? 0 : weights.p.size());
  for (std::size_t i = 0; i < wp_.size(); ++i) wp_[i] = weights.w[i % n_] * weights.p[i];
  order_units();
  measure_curvatures();
}

// By classes, and by features within one.
void ClassDescent::order_units() {
  std::size_t largest = 1;
  for (std::size_t k = 0; k < q_.keys.size();) {
    const std::size_t count = q_.h.unit_at(q_.keys[k]);
    units_.push_back({static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(count)});
    largest = std::max(largest, count);
    k += count;
  }
  std::ranges::sort(
      units_, {}, [&](const Unit& unit) { return std::pair(q_.classes[unit.first], unit.first); });
  for (Vector* scratch : {&slopes_, &target_, &etas_}) scratch->resize(largest);
}

void ClassDescent::measure_curvatures() {
  const std::vector<float>& p = q_.weights.p;
  std::vector<float> diagonal = wp_.empty() ? p : wp_;
  for (std::size_t i = 0; i < diagonal.size(); ++i) diagonal[i] *= 1 - p[i];
  double largest = 0;
  for (const Unit& unit : units_)
    for (std::size_t k = unit.first; k < unit.first + unit.count; ++k) {
      curvatures_[k] = (unit.count > 1 ? 2 : 1) * scale_ *
                       kernels_.squares(q_.columns[k], of_class(diagonal, k));
      largest = std::max(largest, curvatures_[k]);
      entries_read_ += static_cast<std::int64_t>(q_.columns[k].length);
    }
  for (double& curvature : curvatures_)
    curvature = std::max(curvature, largest > 0 ? kLeast * largest : 1);
}

ClassDescent::Image ClassDescent::zero_image() const {
  return {.v = std::vector<float>(q_.weights.p.size(), 0), .s = std::vector<float>(n_, 0)};
}

double ClassDescent::product(std::size_t k, const Image& image) const {
  entries_read_ += static_cast<std::int64_t>(q_.columns[k].length);
  const float* const p = of_class(wp_.empty() ? q_.weights.p : wp_, k);
  return scale_ * kernels_.product(q_.columns[k], p, of_class(image.v, k), image.s.data());
}

void ClassDescent::add(std::size_t k, double move, Image& image) const {
  entries_read_ += static_cast<std::int64_t>(q_.columns[k].length);
  kernels_.add(static_cast<float>(move), q_.columns[k], of_class(q_.weights.p, k),
               &image.v[q_.classes[k] * n_], image.s.data());
}

double ClassDescent::squares(const Image& a, const Image& b) const {
  constexpr std::size_t kLanes = 8;
  const std::vector<float>& p = wp_.empty() ? q_.weights.p : wp_;
  double lanes[kLanes] = {};
  for (std::size_t i = 0; i < p.size(); ++i)
    lanes[i % kLanes] +=
        static_cast<double>(p[i]) * static_cast<double>(a.v[i]) * static_cast<double>(b.v[i]);
  for (std::size_t i = 0; i < n_; ++i)
    lanes[i % kLanes] -= (q_.weights.w.empty() ? 1.0 : static_cast<double>(q_.weights.w[i])) *
                         static_cast<double>(a.s[i]) * static_cast<double>(b.s[i]);
  return scale_ * sum(lanes);
}

double ClassDescent::within_reach(std::size_t k, double z) const {
  if (q_.reaches.empty()) return z;
  return std::clamp(z, q_.x[k] - q_.reaches[k], q_.x[k] + q_.reaches[k]);
}

void ClassDescent::find_target(const Unit& unit, double factor) {
  for (std::size_t i = 0; i < unit.count; ++i)
    target_[i] = z_[unit.first + i] - factor * slopes_[i] * etas_[i];
  q_.h.prox(q_.keys.subspan(unit.first, unit.count), std::span(target_).first(unit.count),
            std::span(etas_).first(unit.count));
}

// Returns about what the model fell by.
double ClassDescent::visit(const Unit& unit, bool& moves, std::size_t& turned) {
  for (std::size_t i = 0; i < unit.count; ++i) {
    slopes_[i] = slope(unit.first + i);
    etas_[i] = 1 / curvatures_[unit.first + i];
  }
  find_target(unit, 1);
  double gained = 0;
  bool moved = false, was_zero = true, is_zero = true;
  for (std::size_t i = 0; i < unit.count; ++i) {
    const std::size_t k = unit.first + i;
    const double before = z_[k];
    const double after = unit.count == 1 ? within_reach(k, target_[i]) : target_[i];
    was_zero &= before == 0;
    is_zero &= after == 0;
    if (after == before) continue;
    moved = true;
    add(k, after - before, image_);
    z_[k] = after;
    gained += 0.5 * curvatures_[k] * (after - before) * (after - before);
  }
  turned += was_zero != is_zero ? 1 : 0;
  moves = moved;
  if (moved) return gained;
  find_target(unit, kFirmly);
  for (std::size_t i = 0; i < unit.count; ++i) moves |= target_[i] != z_[unit.first + i];
  return 0;
}

double ClassDescent::sweep(std::size_t& turned) {
  double gained = 0;
  std::size_t kept = 0;
  turned = 0;
  for (const Unit unit : active_) {
    bool moves = false;
    gained += visit(unit, moves, turned);
    if (moves) active_[kept++] = unit;
  }
  active_.resize(kept);
  return gained;
}

double ClassDescent::minimize(const Effort& effort) {
  double gained = 0;
  bool together = effort.together;
  active_ = units_;
  for (int sweeps = 0; sweeps < effort.sweeps; ++sweeps) {
    if (effort.stop && effort.stop()) break;
    const bool all = active_.size() == units_.size();
    std::size_t turned = 0;
    const double fell = sweep(turned);
    gained += fell;
    if (fell <= effort.share * gained) {
      if (all || !effort.together) break;
      active_ = units_;
      continue;
    }
    if (together &&
        static_cast<double>(turned) <= kTurned * static_cast<double>(active_.size()) + 1)
      gained += move_together(together);
  }
  return gained;
}

}  // namespace asynprox
