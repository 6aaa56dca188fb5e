#include "asynprox/data/weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "asynprox/base/errors.h"
#include "asynprox/data/labels.h"
#include "asynprox/data/readers/read_numbers.h"

namespace asynprox {
namespace {

constexpr double kSumMin = 1e-290;

}  // namespace

Vector read_weights(const std::string& path) { return read_numbers(path, /*at_least=*/0); }

void check_weights(std::span<const double> weights, const std::string& source) {
  const auto bad = std::ranges::find_if_not(
      weights, [](double weight) { return std::isfinite(weight) && weight >= 0; });
  if (bad != weights.end())
    throw DataError(fmt::format("{}: expected weights of at least 0, got {} for sample {}", source,
                                *bad, bad - weights.begin() + 1));
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (!(sum > 0) || !std::isfinite(sum))
    throw DataError(fmt::format("{}: expected weights with a sum above 0, got {}", source, sum));
  // Weights are divided by their mean.
  if (sum < kSumMin)
    throw DataError(fmt::format(
        "{}: expected weights with a sum of at least {}, got {}; multiply them by a constant",
        source, kSumMin, sum));
}

void set_weights(Dataset& data, Vector weights, const std::string& source) {
  if (weights.size() != data.num_samples())
    throw DataError(fmt::format("{}: expected {} weights, one for each sample of {}, got {}",
                                source, data.num_samples(), data.name, weights.size()));
  check_weights(weights, source);
  data.weights = std::move(weights);
}

void weigh_classes(Dataset& data) {
  constexpr std::size_t kClassesMax = 1000;
  const std::size_t n = data.num_samples();
  require(data.labels.size() == n, data.name + ": one label a sample");
  if (data.weights.empty()) data.weights = Vector(n, 1);
  std::map<double, double> class_weight;
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    class_weight[data.labels[i]] += data.weights[i];
    total += data.weights[i];
    if (class_weight.size() > kClassesMax)
      throw ContractError(fmt::format("{}: expected classes, got more than {} different labels",
                                      data.name, kClassesMax));
  }
  const auto num_classes = static_cast<double>(class_weight.size());
  for (const auto& [label, weight] : class_weight) {
    const std::string text = label_text(data.label_names, label);
    if (!(weight > 0))
      throw ContractError(fmt::format("{}: expected a weight above 0 in each class, got {} for {}",
                                      data.name, weight, text));
    if (weight < kSumMin || !std::isfinite(total / (num_classes * weight)))
      throw ContractError(fmt::format(
          "{}: expected weights of like sizes in each class, got a sum of {} for {}, of {} in all",
          data.name, weight, text, total));
  }
  for (std::size_t i = 0; i < n; ++i)
    data.weights[i] *= total / (num_classes * class_weight[data.labels[i]]);
}

}  // namespace asynprox
