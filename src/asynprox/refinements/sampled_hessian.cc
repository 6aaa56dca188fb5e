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

// Its cost, in passes over the data: as long as that is good enough, and at most; or so many
// products, which are nothing.
constexpr double kPasses = 0.5;
constexpr double kPassesMax = 3;
constexpr double kProductsLeast = 2e6;

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
      passes_(kPasses),
      pass_cost_(static_cast<double>(num_samples_) * (problem.f.mean_keys() + kLossCost)),
      ridge_(kRidge),
      column_curvatures_(std::move(column_curvatures)),
      shares_(std::min(shares, kSharesMax)) {}

SampledHessian::Prepared SampledHessian::prepare(const EvaluatedModel& model,
                                                 const std::vector<Key>& keys, bool keep) {
  if (keep && cut_to(keys)) return Prepared::known;
  measure_curvatures(model);
  const auto size = static_cast<double>(keys.size());
  if (num_missing(keys, measured_keys_) > kNewKeys * size) measure(keys);
  const auto n = static_cast<double>(num_samples_);
  const double count = num_chosen(size);
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
  shares_[k] = problem_.f.gram()->sum(Samples(chosen_).subspan(from, to - from),
                                      std::span(weights_).subspan(from, to - from), keys_);
}

void SampledHessian::finish_shares() {
  gram_ = std::move(shares_.front());
  for (std::size_t k = 1; k < shares_.size(); ++k) add_scaled(gram_.entries, 1, shares_[k].entries);
  samples_read_ += static_cast<std::int64_t>(chosen_.size());
  shift_intercept();
  add_ridge(some_ ? kRidgeOfSome : ridge_);
}

//   H'_ij = H_ij - m_i H_bj - m_j H_bi + m_i m_j H_bb
void SampledHessian::shift_intercept() {
  shift_.clear();
  const std::size_t size = keys_.size();
  const bool with_intercept =
      problem_.f.num_free() > 0 && size > 0 && keys_.back() + 1 == problem_.f.dimension();
  if (!with_intercept) return;
  const auto at = [&](std::size_t i, std::size_t j) -> double& {
    return gram_.entries[i * size + j];
  };
  const std::size_t b = size - 1;
  const double weight = at(b, b);
  const Vector column(gram_.entries.begin() + static_cast<std::ptrdiff_t>(b * size),
                      gram_.entries.end());
  if (!(weight > 0)) return;
  shift_.assign(b, 0);
  for (std::size_t i = 0; i < b; ++i)
    if (at(i, i) - column[i] * column[i] / weight > kConstantColumn * at(i, i))
      shift_[i] = column[i] / weight;
  for (std::size_t i = 0; i < b; ++i)
    for (std::size_t j = 0; j < b; ++j)
      at(i, j) += shift_[i] * shift_[j] * weight - shift_[i] * column[j] - shift_[j] * column[i];
  for (std::size_t i = 0; i < b; ++i) at(i, b) = at(b, i) = column[i] - shift_[i] * weight;
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
  for (const Key key : measured_keys_)
    if (const double curvature = (*column_curvatures_)[key]; curvature > 0)
      scales[key] = 1 / curvature;
  lengths_ = problem_.f.curvature()->sample_lipschitz(scales).value_or(Vector());
}

double SampledHessian::num_chosen(double keys) const {
  const double cost = 1 + cost_ * keys * keys, in_a_pass = pass_cost_ / cost;
  const double most = std::max(kPassesMax * in_a_pass, kProductsLeast / cost);
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

// Where a loss is straight but not flat, steps would have no end: it counts as a little curved.
void SampledHessian::measure_curvatures(const EvaluatedModel& model) {
  const double share = 1 / static_cast<double>(num_samples_);
  curvatures_.resize(num_samples_);
  const LinearPredictor& linear = *problem_.f.linear();
  for_samples(0, num_samples_, [&](Samples samples) {
    const auto part = [&](auto numbers) {
      return numbers.subspan(samples.front(), samples.size());
    };
    linear.curvatures_of_outputs(samples, part(std::span(model.outputs)),
                                 part(std::span(model.scalars)), part(std::span(curvatures_)));
  });
  Lanes most_curved{}, steepest{};
  for_lanes(curvatures_.size(), [&](std::size_t i, std::size_t lane) {
    curvatures_[i] = std::max(0.0, share * curvatures_[i]);
    take_larger(most_curved[lane], curvatures_[i]);
    take_larger(steepest[lane], std::abs(model.scalars[i]));
  });
  const double slope = *std::ranges::max_element(steepest);
  if (!(slope > 0)) return;
  const double least = kStraight * *std::ranges::max_element(most_curved) / slope;
  for (std::size_t i = 0; i < curvatures_.size(); ++i)
    curvatures_[i] = std::max(curvatures_[i], least * std::abs(model.scalars[i]));
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
  for (std::size_t i = 0; i + 1 < place.size() && !shift_.empty(); ++i)
    shift.push_back(shift_[place[i]]);
  shift_ = std::move(shift);
  keys_ = keys;
  return true;
}

// Those at which a sum of probabilities passes a whole number.
void SampledHessian::choose(double count) {
  const auto chance = [&](std::size_t i) {
    return lengths_.empty() ? curvatures_[i] : curvatures_[i] * lengths_[i];
  };
  Lanes sums{};
  for_lanes(curvatures_.size(), [&](std::size_t i, std::size_t lane) { sums[lane] += chance(i); });
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
  for (std::size_t i = 0; i < curvatures_.size(); ++i) {
    const auto before = static_cast<std::int64_t>(passed);
    passed += probability(i);
    chosen_[size] = static_cast<SampleIndex>(i);
    size += static_cast<std::size_t>(static_cast<std::int64_t>(passed) - before);
  }
  chosen_.resize(size);
  for (const SampleIndex i : chosen_) weights_.push_back(curvatures_[i] / probability(i));
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
