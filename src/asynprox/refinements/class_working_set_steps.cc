// The Newton steps on a working set that was chosen.
#include <algorithm>
#include <cmath>
#include <utility>

#include "asynprox/refinements/class_working_set.h"

namespace asynprox {
namespace {

// Of what a step was expected to gain: less, and it was too long; more, and the next may be longer.
constexpr double kPoor = 0.25, kGood = 0.75;
constexpr double kTrusted = 0.5;  // the same: less, and the quadratic says little

constexpr double kSufficient = 0.01;  // of the expected fall
constexpr int kHalvingsMax = 30;
constexpr double kRounding = 1e-13;  // of the objective

}  // namespace

ClassWorkingSet::Point ClassWorkingSet::begin(const EvaluatedModel& at) const {
  Point point = {.x = {},
                 .gradient = {},
                 .outputs = at.outputs,
                 .scalars = at.scalars,
                 .loss = at.objective.loss,
                 .regularizer = at.objective.regularizer};
  for (const Key key : keys_) {
    point.x.push_back(at.x[key]);
    point.gradient.push_back(at.gradient[key]);
  }
  return point;
}

ClassWeights ClassWorkingSet::weights_at(const Point& point) const {
  const std::size_t C = num_classes_;
  ClassWeights weights = {.num_samples = num_samples_,
                          .p = std::vector<float>(point.scalars.size())};
  Vector p, w;
  for_samples(0, num_samples_, [&](Samples samples) {
    const std::size_t first = samples.front(), count = samples.size();
    p.resize(count * C);
    w.resize(count);
    problem_.f.class_curvature()->of_scalars(
        samples, std::span(point.scalars).subspan(first * C, count * C), p, w);
    for (std::size_t c = 0; c < C; ++c)
      for (std::size_t i = 0; i < count; ++i)
        weights.p[c * num_samples_ + first + i] = static_cast<float>(p[i * C + c]);
    const bool plain = std::ranges::all_of(w, [](double w_i) { return w_i == 1; });
    if (plain && weights.w.empty()) return;
    weights.w.resize(num_samples_, 1);
    for (std::size_t i = 0; i < count; ++i) weights.w[first + i] = static_cast<float>(w[i]);
  });
  return weights;
}

double ClassWorkingSet::violation(const Point& point) const {
  Vector moved = point.x;
  add_scaled(moved, -eta_, point.gradient);
  h_.prox(keys_, moved, Vector(moved.size(), eta_));
  double largest = 0;
  for (std::size_t k = 0; k < moved.size();) {
    double square = 0;
    for (const std::size_t end = k + h_.unit_at(keys_[k]); k < end; ++k)
      square += (moved[k] - point.x[k]) * (moved[k] - point.x[k]);
    largest = std::max(largest, std::sqrt(square) / eta_);
  }
  return largest;
}

// What outputs move by.
Vector ClassWorkingSet::direction(const Point& point, const Vector& to) const {
  Vector along(point.outputs.size(), 0);
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    const double move = to[k] - point.x[k];
    if (move == 0) continue;
    const ColumnSpan& column = columns_[k];
    for (std::size_t e = 0; e < column.length; ++e)
      along[column.rows[e] * num_classes_ + classes_[k]] +=
          move * static_cast<double>(column.values[e]);
  }
  return along;
}

// By what the scalars changed from these; class by class, for what of one class stays in the cache.
void ClassWorkingSet::update_gradient(Point& point, const Vector& scalars) const {
  const auto n = static_cast<double>(num_samples_);
  Vector change(num_samples_);
  std::uint32_t at_class = static_cast<std::uint32_t>(num_classes_);
  for (const std::uint32_t k : by_class_) {
    if (classes_[k] != at_class) {
      at_class = classes_[k];
      for (std::size_t i = 0, j = at_class; i < num_samples_; ++i, j += num_classes_)
        change[i] = (point.scalars[j] - scalars[j]) / n;
    }
    const ColumnSpan& column = columns_[k];
    double lanes[4] = {};
    const std::size_t whole = column.length / 4 * 4;
    for (std::size_t e = 0; e < whole; e += 4)
      for (std::size_t lane = 0; lane < 4; ++lane)
        lanes[lane] += static_cast<double>(column.values[e + lane]) * change[column.rows[e + lane]];
    for (std::size_t e = whole; e < column.length; ++e)
      lanes[e - whole] += static_cast<double>(column.values[e]) * change[column.rows[e]];
    point.gradient[k] += (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
  }
}

bool ClassWorkingSet::search_line(Point& point, const Vector& to, double expected, bool last) {
  const Vector along = direction(point, to);
  const double rounding = kRounding * std::abs(point.total());
  const double h_before = h_.value(keys_, point.x);
  Vector outputs(along.size()), x(to.size());
  double t = 1;
  for (int halvings = 0; halvings < kHalvingsMax; ++halvings, t /= 2) {
    for (std::size_t i = 0; i < along.size(); ++i) outputs[i] = point.outputs[i] + t * along[i];
    for (std::size_t k = 0; k < x.size(); ++k)
      x[k] = t == 1 ? to[k] : point.x[k] + t * (to[k] - point.x[k]);
    const double loss = loss_of_outputs(problem_.f, outputs);
    const double change_of_h = h_.value(keys_, x) - h_before;
    const double fell = point.loss - loss - change_of_h;
    if (!(fell >= kSufficient * t * expected - rounding)) continue;
    point.x.swap(x);
    point.outputs.swap(outputs);
    point.loss = loss;
    point.regularizer += change_of_h;
    if (last) return true;  // nobody asks for its gradient
    const Vector scalars = std::exchange(point.scalars, Vector(along.size()));
    for_samples(0, num_samples_, [&](Samples samples) {
      const std::size_t first = samples.front() * num_classes_;
      const std::size_t count = samples.size() * num_classes_;
      problem_.f.linear()->scalars_of_outputs(samples,
                                              std::span(point.outputs).subspan(first, count),
                                              std::span(point.scalars).subspan(first, count));
    });
    update_gradient(point, scalars);
    return true;
  }
  return false;
}

// A quadratic model is good only so far: as in a trust region, in a metric of the outputs.
Vector ClassWorkingSet::reaches() const {
  if (!std::isfinite(reach_)) return {};
  Vector reaches;
  for (const Key key : keys_)
    reaches.push_back(is_free(key) ? std::numeric_limits<double>::infinity()
                                   : reach_ / static_cast<double>(largest_[feature_of(key)]));
  return reaches;
}

void ClassWorkingSet::adapt_reach(double share, double farthest) {
  if (!std::isfinite(reach_))
    reach_ = 2 * farthest;
  else if (share < kPoor)
    reach_ = 0.5 * farthest;
  else if (share > kGood && farthest > 0.9 * reach_)
    reach_ *= 2;
}

double ClassWorkingSet::newton_step(Point& point, const ClassDescent::Effort& effort, bool last) {
  const ClassWeights weights = weights_at(point);
  ClassDescent descent({.h = h_,
                        .keys = keys_,
                        .classes = classes_,
                        .columns = columns_,
                        .weights = weights,
                        .x = point.x,
                        .gradient = point.gradient,
                        .reaches = reaches()});
  const double expected = descent.minimize(effort);
  entries_read_ += descent.entries_read();
  if (!(expected > 0) || !std::isfinite(expected) || !all_finite(descent.z())) return 0;
  double farthest = 0;
  for (std::size_t k = 0; k < keys_.size(); ++k)
    if (!is_free(keys_[k]))
      farthest = std::max(farthest, std::abs(descent.z()[k] - point.x[k]) *
                                        static_cast<double>(largest_[feature_of(keys_[k])]));
  const double before = point.total();
  if (!search_line(point, descent.z(), expected, last)) return 0;
  const double fell = before - point.total();
  const bool rounded = expected <= kRounding * std::abs(before);
  trusted_ = rounded || fell > kTrusted * expected;
  if (!rounded && farthest > 0) adapt_reach(fell / expected, farthest);
  return rounded ? std::max(fell, expected) : fell;
}

}  // namespace asynprox
