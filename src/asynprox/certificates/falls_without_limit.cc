#include "asynprox/certificates/falls_without_limit.h"

#include <cmath>

namespace asynprox {

bool falls_without_limit(const Problem& problem, std::span<const double> x, double value) {
  if (!(value < 0)) return false;
  for (const double t : {1e5, 1e10, 1e20}) {
    Vector far(x.begin(), x.end());
    scale(far, t);
    if (!std::isfinite(problem.h.value(far))) return false;
    if (!(objective(problem, far).total() <= t * value / 2)) return false;
  }
  return true;
}

}  // namespace asynprox
