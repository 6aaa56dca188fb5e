#include "asynprox/refinements/working_set.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "asynprox/refinements/proximal_point.h"

namespace asynprox {
namespace {

// Of the working set.
constexpr std::size_t kViolatorsLeast = 100;
constexpr std::size_t kGrowth = 4;
// Columns that are gathered, over those wanted at once: a pass over the rows costs the same.
constexpr std::size_t kAhead = 16;

// Of the support: if no more violators are outside of W, it is nearly what it has to be.
constexpr double kSettledShare = 0.05;

// Newton steps on W, and the share of the violation at which they end: at first, and once W is
// settled.
constexpr int kStepsEarly = 2, kStepsLate = 10;
constexpr double kShareEarly = 0.5, kShareLate = 0.1;
// A step is slow if it leaves more of the violation than this; after two of them others are tried.
constexpr double kSlow = 0.5;
constexpr int kSlowMax = 2;
constexpr int kSweepsMax = 8;
constexpr double kGainEarly = 0.2, kGainLate = 0.01;

// Multiplications that they may take at least, if all else has cost less.
constexpr std::int64_t kWorkLeast = 1'000'000;

// The same share where proximal points take over from sweeps that did not reach theirs.
constexpr double kSharePoints = 0.1;

// Violations times |x|_1 bound the gap, of which half may be left; unless h bounds x, where the bounds take
// the place of |x|_1. Who asks for a step where so little is left has found that it is too much.
constexpr double kGapShare = 0.5;

// Of the mean second derivative, or where that is 0: without it the model would be flat.
constexpr double kCurvatureLeast = 1e-8, kCurvatureOfNone = 1e-3;

// Of what a step was expected to gain: less, and it was too long; more, and the next may be longer.
constexpr double kPoor = 0.25, kGood = 0.75;

constexpr double kSufficient = 0.01;  // of the expected fall
constexpr int kHalvingsMax = 30;
constexpr double kRounding = 1e-13;  // of the objective

}  // namespace

WorkingSet::WorkingSet(const Problem& problem, double eta)
    : problem_(problem),
      eta_(eta),
      num_samples_(problem.f.num_samples()),
      intercept_(problem.f.num_free() > 0),
      offsets_(problem.f.stored_columns()->offsets()),
      entries_(static_cast<double>(num_samples_) * std::max(1.0, problem.f.mean_keys())),
      in_set_(problem.f.dimension(), false),
      gathered_(problem.f.dimension()),
      largest_(problem.f.dimension(), 0) {}

bool WorkingSet::possible(const Problem& problem) {
  return problem.f.convex() && problem.h.separable() && problem.f.linear() &&
         problem.f.stored_columns() && problem.f.outputs() == 1 && problem.f.num_free() <= 1;
}

std::int64_t WorkingSet::samples_read() const {
  const double share = static_cast<double>(entries_read_) / entries_;
  return samples_read_ + static_cast<std::int64_t>(share * static_cast<double>(num_samples_));
}

WorkingSet::Violations WorkingSet::find_violations(const EvaluatedModel& at) const {
  Violations found;
  Vector moved = at.x;
  add_scaled(moved, -eta_, at.gradient);
  problem_.h.prox(moved, eta_);
  const std::size_t seen = moved.size() - problem_.f.num_free();
  for (std::size_t j = 0; j < seen; ++j) {
    const double violation = std::abs(moved[j] - at.x[j]) / eta_;
    found.largest = std::max(found.largest, violation);
    if (violation > 0 && !in_set_[j]) ++found.outside;
    if (at.x[j] != 0)
      ++found.support;
    else if (violation > 0)
      found.at_zero.push_back({violation, static_cast<Key>(j)});
  }
  return found;
}

// The worst so many come first.
void WorkingSet::put_first(std::vector<Violator>& violators, std::size_t count) {
  if (violators.size() <= count) return;
  const auto before = [](const Violator& a, const Violator& b) {
    return a.violation != b.violation ? a.violation > b.violation : a.key < b.key;
  };
  std::ranges::nth_element(violators, violators.begin() + static_cast<std::ptrdiff_t>(count),
                           before);
}

void WorkingSet::choose(const EvaluatedModel& at, Violations& violations) {
  const std::size_t most = std::max(kViolatorsLeast, kGrowth * violations.support);
  std::vector<Violator>& at_zero = violations.at_zero;
  put_first(at_zero, kAhead * most);
  at_zero.resize(std::min(at_zero.size(), kAhead * most));
  put_first(at_zero, most);
  keys_.clear();
  const std::size_t seen = at.x.size() - problem_.f.num_free();
  for (std::size_t j = 0; j < seen; ++j)
    if (at.x[j] != 0) keys_.push_back(static_cast<Key>(j));
  for (std::size_t k = 0; k < std::min(most, at_zero.size()); ++k) keys_.push_back(at_zero[k].key);
  std::ranges::sort(keys_);
  in_set_.assign(in_set_.size(), false);
  for (const Key key : keys_) in_set_[key] = true;
}

void WorkingSet::fetch(std::span<const Key> keys) {
  if (lengths_.empty()) lengths_ = problem_.f.stored_columns()->lengths();
  const SparseColumns& columns =
      store_.emplace_back(problem_.f.stored_columns()->of(keys, lengths_));
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const std::uint64_t first = columns.offsets[k], last = columns.offsets[k + 1];
    gathered_[keys[k]] = {&columns.rows[first], &columns.values[first], last - first};
    for (std::uint64_t e = first; e < last; ++e)
      largest_[keys[k]] = std::max(largest_[keys[k]], std::abs(columns.values[e]));
  }
}

void WorkingSet::save(SnapshotWriter& writer) const {
  std::vector<Key> gathered;
  for (std::size_t j = 0; j < gathered_.size(); ++j)
    if (is_gathered(static_cast<Key>(j))) gathered.push_back(static_cast<Key>(j));
  writer.put(gathered);
  writer.put(keys_);
  writer.put(reach_);
  writer.put(first_);
  writer.put(by_points_);
  writer.put(distance_);
  writer.put(entries_read_);
  writer.put(samples_read_);
  writer.put(in_vain_);
  writer.put(sweeps_rate_);
}

void WorkingSet::restore(SnapshotReader& reader) {
  std::vector<Key> gathered;
  reader.get(gathered);
  reader.get(keys_);
  const std::size_t num_columns = gathered_.size() - problem_.f.num_free();
  const auto beyond = [&](Key key) { return key >= num_columns; };
  if (std::ranges::any_of(gathered, beyond) || std::ranges::any_of(keys_, beyond))
    throw DataError("snapshot: a working set of another dimension");
  reader.get(reach_);
  reader.get(first_);
  reader.get(by_points_);
  reader.get(distance_);
  reader.get(entries_read_);
  reader.get(samples_read_);
  reader.get(in_vain_);
  reader.get(sweeps_rate_);
  in_set_.assign(in_set_.size(), false);
  for (const Key key : keys_) in_set_[key] = true;
  store_.clear();
  gathered_.assign(gathered_.size(), {});
  largest_.assign(largest_.size(), 0);
  if (!gathered.empty()) fetch(gathered);
  columns_.clear();
  for (const Key key : keys_) {
    if (!is_gathered(key)) throw DataError("snapshot: a working set without one of its columns");
    columns_.push_back(gathered_[key]);
  }
}

void WorkingSet::gather(const Violations& violations) {
  if (!std::ranges::all_of(keys_, [&](Key key) { return is_gathered(key); })) {
    std::vector<Key> missing = keys_;
    for (const Violator& violator : violations.at_zero)
      if (!in_set_[violator.key]) missing.push_back(violator.key);
    std::erase_if(missing, [&](Key key) { return is_gathered(key); });
    std::ranges::sort(missing);
    fetch(missing);
    samples_read_ += static_cast<std::int64_t>(num_samples_);
  }
  columns_.clear();
  for (const Key key : keys_) columns_.push_back(gathered_[key]);
}

// What they cost in vain is at most about as much as all else did. Columns with offsets are not sparse,
// as theirs have to be.
bool WorkingSet::points_are_worth() const {
  return offsets_.empty() && 2 * in_vain_ <= entries_read_;
}

WorkingSet::Point WorkingSet::begin(const EvaluatedModel& at) const {
  Point point;
  point.outputs = at.outputs;
  point.scalars = at.scalars;
  point.loss = at.objective.loss;
  point.regularizer = at.objective.regularizer;
  for (const Key key : keys_) {
    point.x.push_back(at.x[key]);
    point.gradient.push_back(at.gradient[key]);
  }
  if (intercept_) {
    point.b = at.x.back();
    point.slope = at.gradient.back();
  }
  return point;
}

// F''_i / n, which must not be 0.
Vector WorkingSet::curvatures(const Point& point) const {
  Vector weights(num_samples_);
  for_samples(0, num_samples_, [&](Samples samples) {
    const std::size_t first = samples.front(), count = samples.size();
    problem_.f.linear()->curvatures_of_outputs(
        samples, std::span(point.outputs).subspan(first, count),
        std::span(point.scalars).subspan(first, count), std::span(weights).subspan(first, count));
  });
  for (double& weight : weights) weight = std::max(weight, 0.0);
  const auto n = static_cast<double>(num_samples_);
  const double mean = sum(weights) / n;
  if (!(mean > 0) || !std::isfinite(mean)) return {};
  for (double& weight : weights)
    weight = (weight > 0 ? std::max(weight, kCurvatureLeast * mean) : kCurvatureOfNone * mean) / n;
  return weights;
}

double WorkingSet::violation(const Point& point) const {
  double largest = 0;
  Vector moved = point.x;
  add_scaled(moved, -eta_, point.gradient);
  const Vector etas(moved.size(), eta_);
  problem_.h.prox_each(keys_, moved, etas);
  for (std::size_t k = 0; k < moved.size(); ++k)
    largest = std::max(largest, std::abs(moved[k] - point.x[k]) / eta_);
  return largest;
}

// What outputs move by.
Vector WorkingSet::direction(const Point& point, const Vector& to, double b) const {
  Vector along(num_samples_, 0);
  double all = b - point.b;
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    const double move = to[k] - point.x[k];
    if (move == 0) continue;
    all -= offset(k) * move;
    add_in_doubles(columns_[k], move, along);
  }
  for (double& u : along) u += all;
  return along;
}

// By what the scalars changed from these.
void WorkingSet::update_gradient(Point& point, const Vector& scalars) const {
  const auto n = static_cast<double>(num_samples_);
  Vector change(num_samples_);
  for (std::size_t i = 0; i < num_samples_; ++i) change[i] = (point.scalars[i] - scalars[i]) / n;
  const double all = sum(change);
  point.slope += intercept_ ? all : 0;
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    point.gradient[k] += dot_in_doubles(columns_[k], change) - offset(k) * all;
  }
}

bool WorkingSet::search_line(Point& point, const Vector& to, double b, double expected) {
  const Vector along = direction(point, to, b);
  const double before = point.total(), rounding = kRounding * std::abs(before);
  Vector outputs(num_samples_), x(to.size());
  double t = 1;
  for (int halvings = 0; halvings < kHalvingsMax; ++halvings, t /= 2) {
    for (std::size_t i = 0; i < num_samples_; ++i) outputs[i] = point.outputs[i] + t * along[i];
    for (std::size_t k = 0; k < x.size(); ++k)
      x[k] = t == 1 ? to[k] : point.x[k] + t * (to[k] - point.x[k]);
    const double loss = loss_of_outputs(problem_.f, outputs);
    const double change_of_h =
        problem_.h.value_each(keys_, x) - problem_.h.value_each(keys_, point.x);
    const double fell = point.loss - loss - change_of_h;
    if (!(fell >= kSufficient * t * expected - rounding)) continue;
    point.b += t * (b - point.b);
    point.x.swap(x);
    point.outputs.swap(outputs);
    point.loss = loss;
    point.regularizer += change_of_h;
    const Vector scalars = std::exchange(point.scalars, Vector(num_samples_));
    for_samples(0, num_samples_, [&](Samples samples) {
      const std::size_t first = samples.front(), count = samples.size();
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
Vector WorkingSet::reaches() const {
  if (!std::isfinite(reach_)) return {};
  Vector reaches;
  for (const Key key : keys_) reaches.push_back(reach_ / static_cast<double>(largest_[key]));
  return reaches;
}

void WorkingSet::adapt_reach(double share, double farthest) {
  if (!std::isfinite(reach_))
    reach_ = 2 * farthest;
  else if (share < kPoor)
    reach_ = 0.5 * farthest;
  else if (share > kGood && farthest > 0.9 * reach_)
    reach_ *= 2;
}

// With an intercept b the model is in (x, b'), b' = b + means'x: b' has a minimum of its own, and the
// gradient along x_j is less by means_j times that along b.
double WorkingSet::newton_step(Point& point, const ColumnDescent::Effort& effort) {
  Vector weights = curvatures(point);
  if (weights.empty()) return 0;
  const double weight = sum(weights);
  Vector offsets(keys_.size());
  for (std::size_t k = 0; k < keys_.size(); ++k) offsets[k] = offset(k);
  ColumnDescent descent({.h = problem_.h,
                         .keys = keys_,
                         .columns = columns_,
                         .x = point.x,
                         .gradient = {},
                         .offsets = std::move(offsets),
                         .means = intercept_,
                         .weights = std::move(weights),
                         .reaches = reaches()});
  Vector gradient = point.gradient;
  const Vector& means = descent.offsets();
  for (std::size_t k = 0; k < keys_.size() && intercept_; ++k)
    gradient[k] -= (means[k] - offset(k)) * point.slope;
  descent.set_gradient(std::move(gradient));
  double expected = descent.minimize(effort), b = point.b, farthest = 0;
  entries_read_ += descent.entries_read();
  if (intercept_) {
    b -= point.slope / weight;
    expected += 0.5 * point.slope * point.slope / weight;
  }
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    const double move = descent.z()[k] - point.x[k];
    if (intercept_) b -= (means[k] - offset(k)) * move;
    farthest = std::max(farthest, std::abs(move) * static_cast<double>(largest_[keys_[k]]));
  }
  if (!(expected > 0) || !std::isfinite(expected) || !all_finite(descent.z())) return 0;
  const double before = point.total();
  if (!search_line(point, descent.z(), b, expected)) return 0;
  const double fell = before - point.total();
  const bool rounded = expected <= kRounding * std::abs(before);
  if (!rounded && farthest > 0) adapt_reach(fell / expected, farthest);
  return rounded ? std::max(fell, expected) : fell;
}

// Returns what the objective fell by; at rounding, what it was expected to.
double WorkingSet::proximal_points(Point& point, double enough, const Wanted& wanted) {
  ProximalPoint search({.problem = problem_,
                        .keys = keys_,
                        .columns = columns_,
                        .x = point.x,
                        .gradient = point.gradient,
                        .intercept = intercept_,
                        .b = point.b,
                        .slope = point.slope,
                        .outputs = point.outputs,
                        .scalars = point.scalars});
  const ProximalPoint::Found found =
      search.minimize({.distance = distance_,
                       .eta = eta_,
                       .violation = enough,
                       .work = std::max(kWorkLeast, entries_read_ - 2 * in_vain_),
                       .stop = wanted.stop});
  distance_ = found.distance;
  entries_read_ += search.work();
  const double before = point.total(), rounding = kRounding * std::abs(before);
  const double expected = std::max(found.fell, 0.0);
  const bool gained = found.better && search_line(point, search.x(), search.b(), expected);
  const double fell =
      gained ? std::max(before - point.total(), expected > rounding ? 0.0 : rounding) : 0;
  const bool reached = gained && violation(point) <= enough;
  worse_ = !reached && fell < sweeps_rate_ * static_cast<double>(search.work());
  in_vain_ += gained && !worse_ ? 0 : search.work();
  return fell;
}

// Newton steps by sweeps. True: they came as far as they should, or advance well.
bool WorkingSet::sweep_steps(Point& point, bool settled, double enough, const Wanted& wanted,
                             double& fall) {
  const bool points = settled && points_are_worth();
  double before = violation(point);
  int slow = 0;
  for (int steps = 0; steps < (settled ? kStepsLate : kStepsEarly); ++steps) {
    const double fell = newton_step(point, {.sweeps = kSweepsMax,
                                            .share = settled ? kGainLate : kGainEarly,
                                            .together = settled,
                                            .stop = wanted.stop});
    if (wanted.stop && wanted.stop()) return false;
    if (!(fell > 0)) return false;
    fall += fell;
    const double now = violation(point);
    if (now <= enough) return true;
    slow = now > kSlow * std::exchange(before, now) ? slow + 1 : 0;
    if (points && slow == kSlowMax) return false;
  }
  return !settled;
}

std::optional<WorkingSet::Step> WorkingSet::step(const EvaluatedModel& at, const Wanted& wanted) {
  const std::int64_t samples_before = samples_read_, entries_before = entries_read_;
  Violations violations = find_violations(at);
  const auto support = static_cast<double>(violations.support);
  const bool settled =
      !first_ && static_cast<double>(violations.outside) <= kSettledShare * support;
  if (first_ || violations.outside > 0) {
    choose(at, violations);
    gather(violations);
  }
  first_ = false;
  Point point = begin(at);
  double size = 0;
  for (const double x_j : point.x) size += std::abs(x_j);
  double of_gap = size > 0 ? kGapShare * wanted.gap / size : 0;
  if (violations.largest <= of_gap) of_gap = 0;
  const auto enough = [&](double share) { return std::max(share * violations.largest, of_gap); };
  Step step;
  const std::int64_t in_vain_before = in_vain_;
  const double distance_before = distance_, rate_before = sweeps_rate_;
  const bool by_points_before = by_points_;
  if (by_points_) {
    step.fall = proximal_points(point, enough(kSharePoints), wanted);
    by_points_ = !worse_;
  }
  if (!(step.fall > 0)) {
    const std::int64_t before = entries_read_;
    const bool reached =
        sweep_steps(point, settled, enough(settled ? kShareLate : kShareEarly), wanted, step.fall);
    sweeps_rate_ =
        step.fall / static_cast<double>(std::max<std::int64_t>(1, entries_read_ - before));
    const bool points = !by_points_before && !reached && points_are_worth();
    if (points && !(step.fall > 0))  // no loss is curved where they begin, say
      step.fall = proximal_points(point, enough(kSharePoints), wanted);
    by_points_ = points && step.fall > 0;
  }
  if (wanted.stop && wanted.stop()) {  // what a replay does not do, it does not count
    samples_read_ = samples_before;
    entries_read_ = entries_before;
    in_vain_ = in_vain_before;
    distance_ = distance_before;
    by_points_ = by_points_before;
    sweeps_rate_ = rate_before;
    return std::nullopt;
  }
  if (!(step.fall > 0)) return std::nullopt;
  step.keys = keys_;
  step.to = std::move(point.x);
  if (intercept_) {
    step.keys.push_back(static_cast<Key>(at.x.size() - 1));
    step.to.push_back(point.b);
  }
  return step;
}

}  // namespace asynprox
