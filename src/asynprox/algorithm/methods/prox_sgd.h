// Algorithm 1 without staleness: one push of every worker in every step, all at the same model. The
// synchronous baseline of the paper's experiments.
//
// Ghadimi, Lan and Zhang (2016), Mini-batch stochastic approximation methods for nonconvex
// stochastic composite optimization.
#pragma once

#include <string_view>
#include <tuple>

#include "asynprox/algorithm/methods/plain.h"

namespace asynprox {

struct ProxSgd {
  static constexpr std::string_view name = "prox-sgd";
  static constexpr std::string_view formula = "synchronous: every worker in every step; v = G";
  static constexpr MethodTraits traits = {.turns = Turns::synchronous};
  static constexpr auto parameters() { return std::tuple(); }

  using ServerPart = PlainServer;
  using WorkerPart = PlainWorker;
};
static_assert(Method<ProxSgd>);

}  // namespace asynprox
