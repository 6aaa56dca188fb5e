#include "asynprox/sampling/passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

std::vector<std::size_t> copies(const Passes& rule, const SamplingSetup& setup) {
  if (!rule.asks_for_lipschitz()) return {};
  require(setup.sample_lipschitz != nullptr,
          "sampling passes: copies need the curvature of each sample, and this problem has none");
  require(!setup.distinct, "sampling passes: copies come twice, and no sample may in a draw");
  const std::span<const double> curvatures(*setup.sample_lipschitz);
  return rule.copies_of(curvatures.subspan(setup.range.first, setup.range.size()));
}

std::vector<SampleIndex> samples_of(const SampleRange& range, std::span<const std::size_t> copies) {
  if (copies.empty()) return all_of(range);
  std::vector<SampleIndex> samples;
  for (std::size_t i = 0; i < range.size(); ++i)
    samples.insert(samples.end(), copies[i], static_cast<SampleIndex>(range.first + i));
  return samples;
}

}  // namespace

std::vector<std::size_t> Passes::copies_of(std::span<const double> curvatures) const {
  const double total = std::accumulate(curvatures.begin(), curvatures.end(), 0.0);
  const double mean = total / static_cast<double>(curvatures.size());
  std::vector<std::size_t> numbers(curvatures.size(), 1);
  if (!(mean > 0)) return numbers;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] =
        static_cast<std::size_t>(std::clamp(std::floor(curvatures[i] / mean), 1.0, copies));
  return numbers;
}

Passes::Sampler::Sampler(const Passes& rule, const SamplingSetup& setup)
    : setup_(setup),
      copies_(asynprox::copies(rule, setup)),
      order_(samples_of(setup.range, copies_)) {
  const std::size_t size = order_.size(), pieces_least = (size + setup.count - 1) / setup.count;
  const auto least = static_cast<double>(pieces_least), most = 2 * static_cast<double>(size);
  require(rule.pieces == 0 || (rule.pieces >= least && rule.pieces <= most &&
                               rule.pieces == std::floor(rule.pieces)),
          fmt::format("sampling passes: pieces: expected a whole number from {} to {}, for {} "
                      "samples of which a push has at most {}, got {}",
                      least, most, size, setup.count, rule.pieces));
  pieces_ = rule.pieces == 0 ? pieces_least : static_cast<std::uint64_t>(rule.pieces);
  weight_ = static_cast<double>(setup.count * pieces_) / static_cast<double>(setup.range.size());
}

void Passes::Sampler::draw(std::uint64_t number, std::vector<SampleIndex>& samples,
                           Vector& weights) {
  const std::span<const SampleIndex> order = order_.of(setup_.shared, number / pieces_);
  const std::uint64_t piece = number % pieces_;
  const std::uint64_t first = order.size() * piece / pieces_;
  const std::uint64_t last = order.size() * (piece + 1) / pieces_;
  const std::span<const SampleIndex> drawn = order.subspan(first, last - first);
  samples.assign(drawn.begin(), drawn.end());
  weights.clear();
  if (weight_ != 1 || !copies_.empty()) weights.assign(samples.size(), weight_);
  if (copies_.empty()) return;
  for (std::size_t i = 0; i < samples.size(); ++i)
    weights[i] /= static_cast<double>(copies_[samples[i] - setup_.range.first]);
}

}  // namespace asynprox
