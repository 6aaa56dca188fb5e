// Does Theorem 1 of the paper speak of a run?
//
//   eta_k <= 1 / (16 L)     and     6 eta_k L^2 T sum_{l=1..T} eta_{k+l} <= 1,     for all k
//
// Both are needed: the first alone diverges under a constant delay of 63. The second is checked
// with the largest step in place of each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "asynprox/options.h"
#include "asynprox/result.h"

namespace asynprox {

struct TheoryInput {
  std::optional<double> lipschitz = {};  // a safe bound on L
  std::string lipschitz_reason = {};
  Method method = Method::asyn_prox_sgd;
  double step_size_max = 0;  // 0: no step was taken
  std::int64_t staleness_max = 0;
};

Theory check_theory(const TheoryInput& input);

}  // namespace asynprox
