#include "asynprox/data/magnitudes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

const double kLeast = std::sqrt(kMeanSquareMin);

double scale_of(const Vector& scales, std::size_t index) {
  return scales.empty() ? 1 : scales[index];
}

// Columns that may be too small: their squares sum to next to nothing, their values do not sum to 0.
std::vector<bool> suspects(const Dataset& data) {
  Vector weights = data.row_scale;
  for (double& weight : weights) weight *= weight;
  const Vector squares = data.rows.column_squares(weights);
  // Factors that differ, so that a column of opposites does not sum to 0.
  const std::size_t n = data.num_samples();
  std::vector<SampleIndex> samples(n);
  std::iota(samples.begin(), samples.end(), SampleIndex{0});
  Vector factors(n), sums(data.dimension(), 0);
  for (std::size_t i = 0; i < n; ++i)
    factors[i] = 1 + std::fmod(0.6180339887498949 * static_cast<double>(i), 1);
  data.rows.scatter(samples, factors, sums);
  std::vector<bool> suspected(data.dimension());
  for (std::size_t j = 0; j < suspected.size(); ++j) {
    const double scale = scale_of(data.column_scale, j);
    // What is not a number is looked at too.
    suspected[j] = sums[j] != 0 && !(squares[j] * scale * scale >= kMeanSquareMin);
  }
  return suspected;
}

// The largest |s_i z_ij d_j| of the columns suspected.
Vector largest_values(const Dataset& data, const std::vector<bool>& suspected) {
  Vector largest(data.dimension(), 0);
  for (std::size_t i = 0; i < data.num_samples(); ++i)
    for (const auto& [column, value] : data.rows.row(i)) {
      if (!suspected[column]) continue;
      const double scaled =
          std::abs(value) * scale_of(data.row_scale, i) * scale_of(data.column_scale, column);
      largest[column] = std::max(largest[column], scaled);
    }
  return largest;
}

}  // namespace

void check_column_magnitudes(const Dataset& data) {
  if (data.rows.arrays().value_type != ValueType::f64) return;
  const std::vector<bool> suspected = suspects(data);
  if (std::ranges::find(suspected, true) == suspected.end()) return;
  const Vector largest = largest_values(data, suspected);
  for (std::size_t j = 0; j < largest.size(); ++j) {
    if (!(largest[j] > 0 && largest[j] < kLeast)) continue;
    const bool named = j < data.feature_names.size() && !data.feature_names[j].empty();
    throw DataError(fmt::format(
        "{}: the values of column {}{} are so small that their squares underflow: expected some of "
        "at least 1e-145, got at most {:.3g}; multiply the column by a constant",
        data.name, j + 1, named ? " (" + data.feature_names[j] + ")" : "", largest[j]));
  }
}

void check_label_magnitudes(const Dataset& data) {
  double largest = 0;
  for (const double label : data.labels) largest = std::max(largest, std::abs(label));
  if (largest > 0 && largest < kLeast)
    throw DataError(fmt::format(
        "{}: the labels are so small that their squares underflow: expected some of at least "
        "1e-145, got at most {:.3g}; multiply them by a constant",
        data.name, largest));
}

}  // namespace asynprox
