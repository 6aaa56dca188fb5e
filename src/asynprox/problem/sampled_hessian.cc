#include "asynprox/problem/sampled_hessian.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace asynprox {
namespace {

constexpr double kOutputsStep = 1e-4;  // for differences of derivatives
constexpr double kNearlyAll = 0.7;     // of the samples: then rather all of them
constexpr double kRidge = 1e-7;        // of the diagonal, so that equal columns do no harm
constexpr double kRidgeOfSome = 1e-3;  // the same, where it is of some samples only

// Its cost, in passes over the data: as long as that is good enough, and at most, which it is from
// the first where less would be less than so many samples a coordinate.
constexpr double kPasses = 0.5;
constexpr double kPassesMax = 3;
constexpr double kSamplesPerKey = 10;

constexpr double kSampleCost =
    10;                         // of a sample in a pass, beside its entries, in entries: its loss
constexpr double kPilot = 256;  // samples, to find out what one costs here

}  // namespace

SampledHessian::SampledHessian(const Problem& problem)
    : problem_(problem), samples_(all_samples(problem.f.num_samples())) {}

const Gram& SampledHessian::at(const EvaluatedModel& model, const std::vector<Key>& keys,
                               bool keep) {
  if (keep && cut_to(keys)) return gram_;
  measure_curvatures(model);
  if (count_ == 0) {
    measure_lengths();
    choose(kPilot);
    limit_samples(problem_.f.gram(chosen_, weights_, keys).products);
    count_ = kPasses / kPassesMax * count_max_;
  }
  const double wanted = kSamplesPerKey * static_cast<double>(keys.size());
  const double count = std::max(count_, std::min(count_max_, wanted));
  const bool some = count < kNearlyAll * static_cast<double>(samples_.size());
  if (some) {
    choose(count);
  } else {
    chosen_ = samples_;
    weights_ = curvatures_;
  }
  keys_ = keys;
  gram_ = problem_.f.gram(chosen_, weights_, keys);
  limit_samples(gram_.products);
  samples_read_ += static_cast<std::int64_t>(chosen_.size());
  add_ridge(some ? kRidgeOfSome : kRidge);
  return gram_;
}

// By what those chosen took.
void SampledHessian::limit_samples(std::size_t products) {
  const double pass = static_cast<double>(samples_.size()) * (problem_.f.mean_keys() + kSampleCost);
  const auto chosen = static_cast<double>(chosen_.size());
  count_max_ = kPassesMax * pass * chosen / std::max(1.0, chosen + static_cast<double>(products));
}

void SampledHessian::measure_lengths() {
  std::optional<Vector> scales = problem_.f.curvature_diagonal();
  if (!scales) return;
  for (double& scale : *scales) scale = scale > 0 ? 1 / scale : 0;
  lengths_ = problem_.f.scaled_sample_lipschitz(*scales).value_or(Vector());
}

bool SampledHessian::refine() {
  if (chosen_.size() == samples_.size()) return false;
  const double before = std::max(count_, static_cast<double>(chosen_.size()));
  count_ = std::min(4 * before, count_max_);
  return count_ > 1.5 * before;
}

void SampledHessian::measure_curvatures(const EvaluatedModel& model) {
  const double unit = kOutputsStep * static_cast<double>(samples_.size());
  curvatures_.resize(model.outputs.size());
  std::ranges::transform(model.outputs, curvatures_.begin(),
                         [](double u) { return u + kOutputsStep; });
  problem_.f.scalars_of_outputs(samples_, curvatures_, curvatures_);
  for (std::size_t i = 0; i < curvatures_.size(); ++i)
    curvatures_[i] = std::max(0.0, (curvatures_[i] - model.scalars[i]) / unit);
}

bool SampledHessian::cut_to(const std::vector<Key>& keys) {
  if (keys_ == keys) return true;
  if (!std::ranges::includes(keys_, keys)) return false;
  std::vector<std::size_t> place;
  for (const Key key : keys)
    place.push_back(static_cast<std::size_t>(std::ranges::lower_bound(keys_, key) - keys_.begin()));
  Vector entries;
  entries.reserve(keys.size() * keys.size());
  for (const std::size_t i : place)
    for (const std::size_t j : place) entries.push_back(gram_.entries[i * keys_.size() + j]);
  gram_.entries = std::move(entries);
  keys_ = keys;
  return true;
}

// Those at which a sum of chances steps over equal distances. One above the distance is certain.
void SampledHessian::choose(double count) {
  const auto chance = [&](std::size_t i) {
    return curvatures_[i] * (lengths_.empty() ? 1 : lengths_[i]);
  };
  double total = 0;
  for (std::size_t i = 0; i < curvatures_.size(); ++i) total += chance(i);
  chosen_.clear();
  weights_.clear();
  const double distance = total / count;
  double passed = distance / 2;
  for (std::size_t i = 0; i < curvatures_.size(); ++i) {
    const double share = chance(i) / distance;
    passed += std::min(share, 1.0) * distance;
    if (!(share > 0) || passed < distance) continue;
    passed -= distance;
    chosen_.push_back(static_cast<SampleIndex>(i));
    weights_.push_back(curvatures_[i] / std::min(share, 1.0));
  }
}

void SampledHessian::add_ridge(double share) {
  const std::size_t size = keys_.size();
  double trace = 0;
  for (std::size_t i = 0; i < size; ++i) trace += gram_.entries[i * (size + 1)];
  for (std::size_t i = 0; i < size; ++i) {
    double& diagonal = gram_.entries[i * (size + 1)];
    diagonal += share * diagonal + kRidge * trace / static_cast<double>(size);
  }
}

}  // namespace asynprox
