#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "asynprox/base/errors.h"
#include "asynprox/data/dataset.h"

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

void center_columns(Dataset& data) {
  const std::size_t n = data.num_samples();
  require(n > 0, data.name + ": there are no samples to centre");
  require(data.weights.empty() || data.weights.size() == n, data.name + ": one weight a sample");
  require(data.row_scale.empty() || data.row_scale.size() == n,
          data.name + ": one row scale a row");
  const auto count = static_cast<double>(n);
  const double total =
      data.weights.empty() ? count : std::accumulate(data.weights.begin(), data.weights.end(), 0.0);
  require(total > 0, data.name + ": weights are at least 0, and not all of them 0");
  Vector mean(data.dimension(), 0);
  for (std::size_t i = 0; i < n; ++i) {
    const auto sample = static_cast<SampleIndex>(i);
    const double weight = (data.weights.empty() ? 1 : data.weights[i]) / total;
    const double share = weight * (data.row_scale.empty() ? 1 : data.row_scale[i]);
    data.rows.scatter({&sample, 1}, {&share, 1}, mean);
  }
  const auto bad = std::ranges::find_if(mean, [](double mu_j) { return !std::isfinite(mu_j); });
  if (bad != mean.end())
    throw DataError(fmt::format("{}: column {} cannot be centred: its mean is {}", data.name,
                                bad - mean.begin() + 1, *bad));
  data.center = std::move(mean);
}

}  // namespace asynprox
