#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

}  // namespace asynprox
