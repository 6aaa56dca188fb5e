#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "asynprox/base/errors.h"
#include "asynprox/data/dataset.h"
#include "asynprox/data/magnitudes.h"

namespace asynprox {
namespace {

// Within these, squares have neither overflowed nor lost digits to underflow.
constexpr double kSafeMin = 1e-280, kSafeMax = 1e300;

// |z| by way of its largest entry, for rows whose squares are out of range.
double careful_norm(const std::vector<RowEntry>& row) {
  double largest = 0, sum = 0;
  for (const RowEntry& entry : row) largest = std::max(largest, std::fabs(entry.value));
  if (largest == 0) return 0;
  for (const RowEntry& entry : row) sum += (entry.value / largest) * (entry.value / largest);
  return largest * std::sqrt(sum);
}

// What a pass over weighted samples needs, checked.
double total_weight(const Dataset& data, const char* purpose) {
  const std::size_t n = data.num_samples();
  require(n > 0, data.name + ": there are no samples to " + purpose);
  require(data.weights.empty() || data.weights.size() == n, data.name + ": one weight a sample");
  require(data.row_scale.empty() || data.row_scale.size() == n,
          data.name + ": one row scale a row");
  const double total = data.weights.empty()
                           ? static_cast<double>(n)
                           : std::accumulate(data.weights.begin(), data.weights.end(), 0.0);
  require(total > 0, data.name + ": weights are at least 0, and not all of them 0");
  return total;
}

// The mean of every column, of the rows as they are scaled.
Vector column_means(const Dataset& data, double total) {
  Vector mean(data.dimension(), 0);
  for (std::size_t i = 0; i < data.num_samples(); ++i) {
    const auto sample = static_cast<SampleIndex>(i);
    const double weight = (data.weights.empty() ? 1 : data.weights[i]) / total;
    const double share = weight * (data.row_scale.empty() ? 1 : data.row_scale[i]);
    data.rows.scatter({&sample, 1}, {&share, 1}, mean);
  }
  return mean;
}

void require_finite(const Dataset& data, const Vector& figures, const char* what) {
  const auto bad = std::ranges::find_if(figures, [](double v) { return !std::isfinite(v); });
  if (bad == figures.end()) return;
  throw DataError(fmt::format("{}: column {} cannot be {} is {}", data.name,
                              bad - figures.begin() + 1, what, *bad));
}

}  // namespace

void normalize_rows(Dataset& data) {
  Vector scale = data.rows.squared_norms();
  for (std::size_t i = 0; i < scale.size(); ++i) {
    const bool safe = scale[i] >= kSafeMin && scale[i] <= kSafeMax;
    const double norm = safe ? std::sqrt(scale[i]) : careful_norm(data.rows.row(i));
    scale[i] = norm > 0 ? 1 / norm : 1;
    const bool usable = std::isfinite(scale[i]) && scale[i] > 0;
    if (!usable)
      throw DataError(fmt::format("{}: sample {} cannot be scaled to length 1: its length is {}",
                                  data.name, i + 1, norm));
  }
  data.row_scale = std::move(scale);
}

// The variance about the mean, in a pass of its own: the difference of two large sums would lose
// it.
void standardize_columns(Dataset& data) {
  require(data.center.empty(), data.name + ": columns are standardised before they are centred");
  const double total = total_weight(data, "standardise");
  const Vector mean = column_means(data, total);
  require_finite(data, mean, "standardised: its mean");
  Vector variance(data.dimension(), 0), weight_of_nonzeros(data.dimension(), 0);
  std::vector<std::size_t> nonzeros(data.dimension(), 0);
  for (std::size_t i = 0; i < data.num_samples(); ++i) {
    const double weight = (data.weights.empty() ? 1 : data.weights[i]) / total;
    const double scale = data.row_scale.empty() ? 1 : data.row_scale[i];
    for (const auto& [column, value] : data.rows.row(i)) {
      const double deviation = scale * value - mean[column];
      variance[column] += weight * deviation * deviation;
      weight_of_nonzeros[column] += weight;
      ++nonzeros[column];
    }
  }
  data.column_scale.assign(data.dimension(), 1);
  for (std::size_t j = 0; j < variance.size(); ++j) {
    // Of a full column rounding must not leave a zero: far from the origin it would weigh much.
    const bool full = nonzeros[j] == data.num_samples();
    const double zeros = full ? 0 : std::max(0.0, 1 - weight_of_nonzeros[j]);
    variance[j] += zeros * mean[j] * mean[j];
    if (variance[j] > 0 && variance[j] < kMeanSquareMin)
      throw DataError(fmt::format(
          "{}: column {} cannot be standardised: its values are so small that their squares "
          "underflow (variance {:.3g}); multiply it by a constant",
          data.name, j + 1, variance[j]));
    const double deviation = std::sqrt(variance[j]);
    // What rounding leaves of a constant column is no deviation.
    if (deviation > 1e-12 * std::abs(mean[j])) data.column_scale[j] = 1 / deviation;
  }
  require_finite(data, data.column_scale, "standardised: 1 over its deviation");
}

void center_columns(Dataset& data) {
  const double total = total_weight(data, "centre");
  Vector mean = column_means(data, total);
  for (std::size_t j = 0; j < data.column_scale.size(); ++j) mean[j] *= data.column_scale[j];
  require_finite(data, mean, "centred: its mean");
  data.center = std::move(mean);
}

}  // namespace asynprox
