#include "asynprox/refinements/class_working_set.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace asynprox {
namespace {

// Of the working set.
constexpr std::size_t kViolatorsPerClass = 100;
constexpr std::size_t kGrowth = 4;
// Units whose columns are gathered, over those wanted at once: a pass over the rows costs the same.
constexpr std::size_t kAhead = 16;

// Of the support: if no more violators are outside of W, it is nearly what it has to be.
constexpr double kSettledShare = 0.05;

// Newton steps on W, and the share of the violation at which they end: at first, and once W is
// settled.
constexpr int kStepsEarly = 2, kStepsLate = 10;
constexpr double kShareEarly = 0.5, kShareLate = 0.1;
constexpr int kSweepsMax = 20;
constexpr double kGainEarly = 0.2, kGainLate = 0.001;

// Violations times |x|_1 bound the gap, of which half may be left.
constexpr double kGapShare = 0.5;

}  // namespace

ClassWorkingSet::ClassWorkingSet(const Problem& problem, double eta)
    : problem_(problem),
      h_(problem),
      eta_(eta),
      num_samples_(problem.f.num_samples()),
      num_classes_(problem.f.outputs()),
      seen_(problem.f.dimension() - problem.f.num_free()),
      entries_(static_cast<double>(num_samples_) * std::max(1.0, problem.f.mean_keys())),
      in_set_(problem.f.dimension(), false),
      gathered_(seen_ / num_classes_),
      largest_(gathered_.size(), 0) {
  if (problem.f.num_free() == 0) return;
  ones_.rows.resize(num_samples_ + SparseColumns::read_beyond, 0);
  std::iota(ones_.rows.begin(), ones_.rows.begin() + static_cast<std::ptrdiff_t>(num_samples_), 0U);
  ones_.values.resize(ones_.rows.size(), 1);
}

bool ClassWorkingSet::possible(const Problem& problem) {
  const AnyFiniteSum& f = problem.f;
  return f.outputs() > 1 && f.convex() && f.linear() && f.class_curvature() && f.stored_columns() &&
         f.stored_columns()->offsets().empty() && SplitRegularizer::possible(problem);
}

std::int64_t ClassWorkingSet::samples_read() const {
  const double share = static_cast<double>(entries_read_) / entries_;
  return samples_read_ + static_cast<std::int64_t>(share * static_cast<double>(num_samples_));
}

ClassWorkingSet::Violations ClassWorkingSet::find_violations(const EvaluatedModel& at) const {
  Violations found;
  Vector moved = at.x;
  add_scaled(moved, -eta_, at.gradient);
  problem_.h.prox(moved, eta_);
  const std::size_t unit = h_.unit();
  for (std::size_t first = 0; first < seen_; first += unit) {
    double square = 0;
    bool nonzero = false;
    for (std::size_t j = first; j < first + unit; ++j) {
      square += (moved[j] - at.x[j]) * (moved[j] - at.x[j]);
      nonzero |= at.x[j] != 0;
    }
    found.support += nonzero ? 1 : 0;
    if (square == 0) continue;
    const double violation = std::sqrt(square) / eta_;
    found.largest = std::max(found.largest, violation);
    found.outside += in_set_[first] ? 0 : 1;
    if (!nonzero) found.at_zero.push_back({violation, static_cast<Key>(first)});
  }
  for (std::size_t j = seen_; j < at.x.size(); ++j)
    found.largest = std::max(found.largest, std::abs(at.gradient[j]));
  return found;
}

// The worst so many come first.
void ClassWorkingSet::put_first(std::vector<Violator>& violators, std::size_t count) {
  if (violators.size() <= count) return;
  const auto before = [](const Violator& a, const Violator& b) {
    return a.violation != b.violation ? a.violation > b.violation : a.key < b.key;
  };
  std::ranges::nth_element(violators, violators.begin() + static_cast<std::ptrdiff_t>(count),
                           before);
}

void ClassWorkingSet::choose(const EvaluatedModel& at, Violations& violations) {
  const std::size_t unit = h_.unit();
  const std::size_t most =
      std::max(kViolatorsPerClass * num_classes_ / unit, kGrowth * violations.support);
  std::vector<Violator>& at_zero = violations.at_zero;
  put_first(at_zero, kAhead * most);
  at_zero.resize(std::min(at_zero.size(), kAhead * most));
  put_first(at_zero, most);
  std::vector<Key> keys;
  const auto add_unit = [&](std::size_t first) {
    for (std::size_t j = first; j < first + unit; ++j) keys.push_back(static_cast<Key>(j));
  };
  for (std::size_t first = 0; first < seen_; first += unit)
    if (count_nonzeros(std::span(at.x).subspan(first, unit)) > 0) add_unit(first);
  for (std::size_t k = 0; k < std::min(most, at_zero.size()); ++k) add_unit(at_zero[k].key);
  for (std::size_t j = seen_; j < at.x.size(); ++j) keys.push_back(static_cast<Key>(j));
  std::ranges::sort(keys);
  set_keys(std::move(keys));
}

void ClassWorkingSet::set_keys(std::vector<Key> keys) {
  keys_ = std::move(keys);
  in_set_.assign(in_set_.size(), false);
  classes_.clear();
  for (const Key key : keys_) {
    in_set_[key] = true;
    classes_.push_back(static_cast<std::uint32_t>(key % num_classes_));
  }
  by_class_.resize(keys_.size());
  std::iota(by_class_.begin(), by_class_.end(), 0U);
  std::ranges::sort(by_class_, {}, [&](std::uint32_t k) { return std::pair(classes_[k], k); });
}

void ClassWorkingSet::fetch(std::span<const Key> features) {
  if (lengths_.empty()) lengths_ = problem_.f.stored_columns()->lengths();
  const SparseColumns& columns =
      store_.emplace_back(problem_.f.stored_columns()->of(features, lengths_));
  for (std::size_t k = 0; k < features.size(); ++k) {
    const std::uint64_t first = columns.offsets[k], last = columns.offsets[k + 1];
    gathered_[features[k]] = {&columns.rows[first], &columns.values[first], last - first};
    for (std::uint64_t e = first; e < last; ++e)
      largest_[features[k]] = std::max(largest_[features[k]], std::abs(columns.values[e]));
  }
}

ColumnSpan ClassWorkingSet::column_of(Key key) const {
  if (is_free(key)) return {ones_.rows.data(), ones_.values.data(), num_samples_};
  return gathered_[feature_of(key)];
}

void ClassWorkingSet::find_columns() {
  columns_.clear();
  for (const Key key : keys_) columns_.push_back(column_of(key));
}

void ClassWorkingSet::gather(const Violations& violations) {
  std::vector<Key> missing;
  const auto note = [&](Key key) {
    if (column_of(key).rows == nullptr) missing.push_back(static_cast<Key>(feature_of(key)));
  };
  for (const Key key : keys_) note(key);
  if (!missing.empty()) {
    for (const Violator& violator : violations.at_zero) note(violator.key);
    std::ranges::sort(missing);
    const auto repeated = std::ranges::unique(missing);
    missing.erase(repeated.begin(), repeated.end());
    fetch(missing);
    samples_read_ += static_cast<std::int64_t>(num_samples_);
  }
  find_columns();
}

void ClassWorkingSet::save(SnapshotWriter& writer) const {
  std::vector<Key> gathered;
  for (std::size_t j = 0; j < gathered_.size(); ++j)
    if (gathered_[j].rows != nullptr) gathered.push_back(static_cast<Key>(j));
  writer.put(gathered);
  writer.put(keys_);
  writer.put(reach_);
  writer.put(first_);
  writer.put(trusted_);
  writer.put(entries_read_);
  writer.put(samples_read_);
}

void ClassWorkingSet::restore(SnapshotReader& reader) {
  std::vector<Key> gathered, keys;
  reader.get(gathered);
  reader.get(keys);
  if (std::ranges::any_of(gathered, [&](Key feature) { return feature >= gathered_.size(); }) ||
      std::ranges::any_of(keys, [&](Key key) { return key >= in_set_.size(); }))
    throw DataError("snapshot: a working set of another dimension");
  reader.get(reach_);
  reader.get(first_);
  reader.get(trusted_);
  reader.get(entries_read_);
  reader.get(samples_read_);
  store_.clear();
  gathered_.assign(gathered_.size(), {});
  largest_.assign(largest_.size(), 0);
  if (!gathered.empty()) fetch(gathered);
  for (const Key key : keys)
    if (column_of(key).rows == nullptr)
      throw DataError("snapshot: a working set without one of its columns");
  set_keys(std::move(keys));
  find_columns();
}

ClassDescent::Effort ClassWorkingSet::effort_of(bool exact,
                                                const std::function<bool()>& stop) const {
  return {.sweeps = kSweepsMax,
          .share = exact ? kGainLate : kGainEarly,
          .together = exact,
          .stop = stop};
}

std::optional<WorkingSet::Step> ClassWorkingSet::step(const EvaluatedModel& at,
                                                      const WorkingSet::Wanted& wanted) {
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
  const double enough = size > 0 ? kGapShare * wanted.gap / size : 0;
  const int steps_max = settled ? kStepsLate : kStepsEarly;
  WorkingSet::Step step;
  for (int steps = 0; steps < steps_max; ++steps) {
    const bool exact = settled && trusted_;
    const double fell = newton_step(point, effort_of(exact, wanted.stop), steps + 1 == steps_max);
    if (wanted.stop && wanted.stop()) {  // what a replay does not do, it does not count
      samples_read_ = samples_before;
      entries_read_ = entries_before;
      return std::nullopt;
    }
    if (!(fell > 0)) break;
    step.fall += fell;
    const double share = exact ? kShareLate : kShareEarly;
    if (violation(point) <= std::max(share * violations.largest, enough)) break;
  }
  if (!(step.fall > 0)) return std::nullopt;
  step.keys = keys_;
  step.to = std::move(point.x);
  return step;
}

}  // namespace asynprox
