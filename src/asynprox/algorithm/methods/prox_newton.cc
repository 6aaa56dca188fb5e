#include "asynprox/algorithm/methods/prox_newton.h"

#include "asynprox/refinements/newton_search.h"

namespace asynprox {

static_assert(ProxNewton::name == NewtonSearch::name);

std::string ProxNewton::obstacle(const Problem& problem) {
  const std::string missing = NewtonSearch::obstacle(problem);
  return missing.empty() ? "" : "needs " + missing;
}

}  // namespace asynprox
