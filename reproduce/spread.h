// What several seeds gave: a mean, and how far they lie apart.
#pragma once

#include <cmath>
#include <vector>

namespace asynprox::reproduce {

struct Spread {
  double mean = 0;
  double deviation = 0;  // standard, of one seed; 0 for a single one
};

// Of at least one value.
inline Spread spread_of(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  Spread spread;
  for (const double value : values) spread.mean += value / count;
  if (values.size() < 2) return spread;
  for (const double value : values)
    spread.deviation += (value - spread.mean) * (value - spread.mean) / (count - 1);
  spread.deviation = std::sqrt(spread.deviation);
  return spread;
}

}  // namespace asynprox::reproduce
