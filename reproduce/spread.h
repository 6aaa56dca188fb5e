// What several seeds gave: a mean, and how far they lie apart.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

namespace asynprox::reproduce {

struct Spread {
  double mean = 0;
  double deviation = 0;  // standard, of one seed; not a number where there is a single one
};

// Of at least one value.
inline Spread spread_of(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  Spread spread;
  for (const double value : values) spread.mean += value;
  spread.mean /= count;
  if (values.size() < 2) return {spread.mean, std::numeric_limits<double>::quiet_NaN()};
  for (const double value : values)
    spread.deviation += (value - spread.mean) * (value - spread.mean) / (count - 1);
  spread.deviation = std::sqrt(spread.deviation);
  return spread;
}

}  // namespace asynprox::reproduce
