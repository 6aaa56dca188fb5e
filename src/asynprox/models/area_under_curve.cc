#include "asynprox/models/area_under_curve.h"

#include <algorithm>
#include <cmath>

namespace asynprox {

std::optional<double> area_under_curve(std::span<RankedSample> samples) {
  std::ranges::sort(samples, {}, &RankedSample::u);
  double positives = 0, negatives = 0, won = 0;
  for (std::size_t start = 0, end = 0; start < samples.size(); start = end) {
    double tied_positives = 0, tied_negatives = 0;
    for (; end < samples.size() && samples[end].u == samples[start].u; ++end) {
      const double weight = samples[end].signed_weight;
      (weight > 0 ? tied_positives : tied_negatives) += std::abs(weight);
    }
    won += tied_positives * (negatives + tied_negatives / 2);
    positives += tied_positives;
    negatives += tied_negatives;
  }
  if (positives == 0 || negatives == 0) return std::nullopt;
  return won / (positives * negatives);
}

std::optional<double> area_under_curve(std::span<const double> u, std::span<const double> signs,
                                       std::span<const double> weights) {
  std::vector<RankedSample> samples(u.size());
  for (std::size_t i = 0; i < u.size(); ++i)
    samples[i] = {u[i], (signs[i] > 0 ? 1 : -1) * (weights.empty() ? 1 : weights[i])};
  return area_under_curve(samples);
}

}  // namespace asynprox
