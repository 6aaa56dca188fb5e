#include "asynprox/refinements/sampled_hessian.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "asynprox/problem/scaling.h"

namespace asynprox {
namespace {

constexpr double kStraight = 0.1;   // of the largest curvature, for the steepest sample
constexpr double kNearlyAll = 0.5;  // of the samples: then rather all of them
// Of the diagonal, so that equal columns do no harm; where it is of some samples only; and the
// least that it comes to where columns depend on each other nearly, but not quite.
constexpr double kRidge = 1e-7;
constexpr double kRidgeOfSome = 1e-3;
constexpr double kRidgeLeast = 1e-13;
constexpr double kSharper = 1e-2;

// A variance below this share of the mean square is mostly rounding, since it is a difference of
// sums: the column counts as constant.
constexpr double kConstantColumn = 1e-14;

// The budget of one Hessian, in passes over the data: at first, and at most after refine(). Up to
// kProductsLeast multiplications are always allowed, up to kProductsPatient where the caller is patient.
constexpr double kPasses = 0.5;
constexpr double kPassesMax = 3;
constexpr double kProductsLeast = 2e6;
constexpr double kProductsPatient = 1e8;

// Samples a coordinate: what it is to have from the first, and without which it is too rough.
constexpr double kSamplesPerKey = 10;
constexpr double kSamplesPerKeyLeast = 3;

// A sample's loss costs as much in a pass as so many entries.
constexpr double kLossCost = 10;

constexpr double kPilot = 256;    // samples, to find out what one costs here
constexpr double kNewKeys = 0.1;  // of the coordinates: what is known of the samples will do

constexpr int kSharesMax = 8;  // of a sum: each takes as much memory as the Hessian

// How many keys are not in the list, which rises.
double num_missing(const std::vector<Key>& keys, const std::vector<Key>& list) {
  const auto missing = [&](Key key) { return !std::ranges::binary_search(list, key); };
  return static_cast<double>(std::ranges::count_if(keys, missing));
}

// In lanes, so that nothing waits for what is before it.
constexpr std::size_t kLanes = 8;
using Lanes = std::array<double, kLanes>;

// Calls work(i, lane) for every i below `size`.
void for_lanes(std::size_t size, auto&& work) {
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane) work(i + lane, lane);
  for (; i < size; ++i) work(i, 0);
}

void take_larger(double& largest, double number) { largest = number > largest ? number : largest; }

}  // namespace

SampledHessian::SampledHessian(const Problem& problem, int shares,
                               std::shared_ptr<const Vector> column_curvatures)
    : problem_(problem),
      num_samples_(problem.f.num_samples()),
      outputs_(problem.f.outputs()),
      passes_(kPasses),
      pass_cost_(static_cast<double>(num_samples_) * (problem.f.mean_keys() + kLossCost)),
      ridge_(kRidge),
      column_curvatures_(std::move(column_curvatures)),
      shares_(std::min(shares, kSharesMax)) {}

SampledHessian::Prepared SampledHessian::prepare(const EvaluatedModel& model,
                                                 const std::vector<Key>& keys, Wanted wanted) {
  if (wanted.keep && cut_to(keys)) return Prepared::known;
  measure_curvatures(model);
  const auto size = static_cast<double>(keys.size());
  if (num_missing(keys, measured_keys_) > kNewKeys * size) measure(keys);
  const auto n = static_cast<double>(num_samples_);
  const double count = num_chosen(size, wanted.patient);
  if (count < std::min(n, kSamplesPerKeyLeast * size)) return Prepared::too_rough;
  keys_ = keys;
  some_ = count < kNearlyAll * n;
  if (some_) {
    choose(count);
  } else {
    chosen_ = all_samples(num_samples_);
    weights_ = curvatures_;
  }
  return Prepared::to_sum;
}

void SampledHessian::sum_share(int share) {
  const auto shares = shares_.size(), k = static_cast<std::size_t>(share);
  if (k >= shares) return;
  const std::size_t from = chosen_.size() * k / shares, to = chosen_.size() * (k + 1) / shares;
  shares_[k] = problem_.f.gram()->sum(
      Samples(chosen_).subspan(from, to - from),
      std::span(weights_).subspan(from * outputs_ * outputs_, (to - from) * outputs_ * outputs_),
      keys_);
}

void SampledHessian::finish_shares() {
  gram_ = std::move(shares_.front());
  for (std::size_t k = 1; k < shares_.size(); ++k) add_scaled(gram_.entries, 1, shares_[k].entries);
  samples_read_ += static_cast<std::int64_t>(chosen_.size());
  shift_intercepts();
  add_ridge(some_ ? kRidgeOfSome : ridge_);
}

// Of one output it is exactly the mean by curvature, and H' has nothing between a coefficient and
// the intercept.
Vector SampledHessian::column_means() const {
  const std::size_t size = keys_.size(), b = size - outputs_;
  const auto at = [&](std::size_t i, std::size_t j) { return gram_.entries[i * size + j]; };
  Vector means(b, 0);
  for (std::size_t first = 0, end = 0; first < b; first = end) {
    double square = 0, product = 0, weight = 0;
    for (end = first; end < b && keys_[end] / outputs_ == keys_[first] / outputs_; ++end) {
      const std::size_t intercept = b + keys_[end] % outputs_;
      square += at(end, end);
      product += at(intercept, end);
      weight += at(intercept, intercept);
    }
    if (square - product * product / weight > kConstantColumn * square)
      std::fill(means.begin() + static_cast<std::ptrdiff_t>(first),
                means.begin() + static_cast<std::ptrdiff_t>(end), product / weight);
  }
  return means;
}

//   H'_ij = H_ij - m_i H_bj - m_j H_bi + m_i m_j H_bb
void SampledHessian::shift_intercepts() {
  shift_.clear();
  const std::size_t size = keys_.size();
  const bool with_intercepts =
      problem_.f.num_free() > 0 && size > 0 && keys_.back() + 1 == problem_.f.dimension();
  if (!with_intercepts) return;
  const auto at = [&](std::size_t i, std::size_t j) -> double& {
    return gram_.entries[i * size + j];
  };
  const std::size_t b = size - outputs_;
  for (std::size_t i = b; i < size; ++i)
    if (!(at(i, i) > 0)) return;
  shift_ = column_means();
  // H_bj of the intercept that belongs to coordinate i.
  const Vector rows(gram_.entries.begin() + static_cast<std::ptrdiff_t>(b * size),
                    gram_.entries.end());
  const auto beside = [&](std::size_t i, std::size_t j) {
    return rows[keys_[i] % outputs_ * size + j];
  };
  for (std::size_t i = 0; i < b; ++i)
    for (std::size_t j = 0; j < b; ++j)
      at(i, j) += shift_[i] * shift_[j] * beside(i, b + keys_[j] % outputs_) -
                  shift_[i] * beside(i, j) - shift_[j] * beside(j, i);
  for (std::size_t i = 0; i < b; ++i)
    for (std::size_t k = b; k < size; ++k)
      at(i, k) = at(k, i) = beside(k, i) - shift_[i] * beside(k, b + keys_[i] % outputs_);
}

// What a sample costs, by a few of them; it grows with the square of the number of coordinates.
void SampledHessian::measure(const std::vector<Key>& keys) {
  measured_keys_ = keys;
  measure_lengths();
  choose(kPilot);
  const auto size = static_cast<double>(keys.size());
  const auto products =
      static_cast<double>(problem_.f.gram()->sum(chosen_, weights_, keys).products);
  cost_ = products / std::max(1.0, static_cast<double>(chosen_.size())) / (size * size);
}

void SampledHessian::measure_lengths() {
  if (!column_curvatures_)
    column_curvatures_ = std::make_shared<const Vector>(column_curvatures(problem_.f));
  if (column_curvatures_->empty()) return;
  Vector scales(column_curvatures_->size(), 0);
  // A feature counts if one of its coefficients does.
  for (const Key key : measured_keys_)
    if (const double curvature = (*column_curvatures_)[key]; curvature > 0)
      std::fill_n(scales.begin() + (key - key % outputs_), outputs_, 1 / curvature);
  lengths_ = problem_.f.curvature()->sample_lipschitz(scales).value_or(Vector());
}

double SampledHessian::num_chosen(double keys, bool patient) const {
  const double cost = 1 + cost_ * keys * keys, in_a_pass = pass_cost_ / cost;
  const double most = std::max(kPassesMax * in_a_pass, kProductsLeast / cost);
  if (patient && static_cast<double>(num_samples_) * cost <= kProductsPatient)
    return static_cast<double>(num_samples_);
  return std::clamp(kSamplesPerKey * keys, passes_ * in_a_pass, most);
}

bool SampledHessian::refine() {
  const bool possible = chosen_.size() < num_samples_ && passes_ < kPassesMax;
  if (possible) passes_ = std::min(4 * passes_, kPassesMax);
  return possible;
}

bool SampledHessian::sharpen() {
  // Of fewer samples than coordinates many are free, and only the ridge holds them.
  const bool possible = !some_ && keys_.size() <= num_samples_ && ridge_ > kRidgeLeast;
  if (possible) ridge_ *= kSharper;
  return possible;
}

bool SampledHessian::soften() { return std::exchange(ridge_, kRidge) < kRidge; }

void SampledHessian::measure_curvatures(const EvaluatedModel& model) {
  const std::size_t C = outputs_;
  curvatures_.resize(num_samples_ * C * C);
  const LinearPredictor& linear = *problem_.f.linear();
  for_samples(0, num_samples_, [&](Samples samples) {
    const auto part = [&](auto numbers, std::size_t each) {
      return numbers.subspan(samples.front() * each, samples.size() * each);
    };
    linear.curvatures_of_outputs(samples, part(std::span(model.outputs), C),
                                 part(std::span(model.scalars), C),
                                 part(std::span(curvatures_), C * C));
  });
  scale(curvatures_, 1 / static_cast<double>(num_samples_));
  keep_from_flatness(model);
}

// Where a loss is straight but not flat, steps would have no end: it counts as a little curved.
void SampledHessian::keep_from_flatness(const EvaluatedModel& model) {
  const std::size_t C = outputs_;
  // F''_i at an output of a sample, which are numbered as the scalars.
  const auto curvature = [&](std::size_t output) -> double& {
    return curvatures_[C == 1 ? output : output * C + output % C];
  };
  Lanes most_curved{}, steepest{};
  for_lanes(model.scalars.size(), [&](std::size_t i, std::size_t lane) {
    curvature(i) = std::max(0.0, curvature(i));
    take_larger(most_curved[lane], curvature(i));
    take_larger(steepest[lane], std::abs(model.scalars[i]));
  });
  const double slope = *std::ranges::max_element(steepest);
  if (!(slope > 0)) return;
  const double least = kStraight * *std::ranges::max_element(most_curved) / slope;
  for (std::size_t i = 0; i < model.scalars.size(); ++i)
    curvature(i) = std::max(curvature(i), least * std::abs(model.scalars[i]));
}

double SampledHessian::size_of_curvature(std::size_t sample) const {
  if (outputs_ == 1) return curvatures_[sample];
  double trace = 0;
  for (std::size_t c = 0; c < outputs_; ++c)
    trace += curvatures_[(sample * outputs_ + c) * outputs_ + c];
  return trace;
}

bool SampledHessian::cut_to(const std::vector<Key>& keys) {
  if (keys_ == keys) return true;
  if (!std::ranges::includes(keys_, keys)) return false;
  std::vector<std::size_t> place;
  place.reserve(keys.size());
  for (const Key key : keys)
    place.push_back(static_cast<std::size_t>(std::ranges::lower_bound(keys_, key) - keys_.begin()));
  Vector entries;
  entries.reserve(keys.size() * keys.size());
  for (const std::size_t i : place)
    for (const std::size_t j : place) entries.push_back(gram_.entries[i * keys_.size() + j]);
  gram_.entries = std::move(entries);
  Vector shift;
  for (std::size_t i = 0; i + outputs_ < place.size() && !shift_.empty(); ++i)
    shift.push_back(shift_[place[i]]);
  shift_ = std::move(shift);
  keys_ = keys;
  return true;
}

// Systematic sampling: takes sample i where the running sum of probabilities passes a whole number.
void SampledHessian::choose(double count) {
  const auto chance = [&](std::size_t i) {
    return lengths_.empty() ? size_of_curvature(i) : size_of_curvature(i) * lengths_[i];
  };
  Lanes sums{};
  for_lanes(num_samples_, [&](std::size_t i, std::size_t lane) { sums[lane] += chance(i); });
  const double total = sum(sums), factor = count / total;
  chosen_.clear();
  weights_.clear();
  // Else F'' is as good as 0, or infinite, and no choice of samples says more.
  if (!(factor > 0) || !std::isfinite(factor)) return;
  const auto probability = [&](std::size_t i) { return std::min(factor * chance(i), 1.0); };
  // Every sample is written down and the next one over it, so that nothing is to be foreseen.
  chosen_.resize(static_cast<std::size_t>(count) + 2);
  std::size_t size = 0;
  double passed = 0.5;
  for (std::size_t i = 0; i < num_samples_; ++i) {
    const auto before = static_cast<std::int64_t>(passed);
    passed += probability(i);
    chosen_[size] = static_cast<SampleIndex>(i);
    size += static_cast<std::size_t>(static_cast<std::int64_t>(passed) - before);
  }
  chosen_.resize(size);
  const std::size_t each = outputs_ * outputs_;
  for (const SampleIndex i : chosen_)
    for (std::size_t k = i * each; k < (i + 1) * each; ++k)
      weights_.push_back(curvatures_[k] / probability(i));
}

void SampledHessian::add_ridge(double ridge) {
  const std::size_t size = keys_.size();
  double largest = 0;
  for (std::size_t i = 0; i < size; ++i) largest = std::max(largest, gram_.entries[i * (size + 1)]);
  for (std::size_t i = 0; i < size; ++i) {
    double& diagonal = gram_.entries[i * (size + 1)];
    // A coordinate that no sample here touches.
    diagonal = diagonal > 0 ? (1 + ridge) * diagonal : largest;
  }
}

}  // namespace asynprox
