// How low an objective can be, where that is known without solving the problem:
//
//   Psi >= 0                                              if F >= 0
//   Psi >= f(0) - |grad f(0)| r - L r^2 / 2               if h is finite only where |x| <= r
//
// For non-negative PCA on a ball the second is -L r^2 / 2, which on data without negative entries
// is the optimum itself. Both take h >= 0, as every regulariser of ours is.
#pragma once

#include <optional>
#include <string>

#include "asynprox/problem/problem.h"

namespace asynprox {

struct LowerBound {
  double value = 0;
  std::string reason = {};
};

// The better of the two, where one holds. `lipschitz` is a safe bound on L.
std::optional<LowerBound> lower_bound(const Problem& problem, std::optional<double> lipschitz);

}  // namespace asynprox
