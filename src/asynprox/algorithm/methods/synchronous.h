// The methods in which every worker takes part in every step.
//
// fista: Beck and Teboulle (2009), A fast iterative shrinkage-thresholding algorithm for linear
// inverse problems; its restarts: O'Donoghue and Candes (2015), Adaptive restart for accelerated
// gradient schemes.
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

struct ProxGd {
  static constexpr std::string_view name = "prox-gd";
  static constexpr std::string_view formula = "proximal gradient: every sample in every step";
  static constexpr MethodTraits traits = {
      .turns = Turns::synchronous, .whole_gradient = true, .lazy = false};
  static constexpr auto parameters() { return std::tuple(); }

  using ServerPart = PlainServer;
  using WorkerPart = WholeShardWorker;
};
static_assert(Method<ProxGd>);

struct Fista {
  static constexpr std::string_view name = "fista";
  static constexpr std::string_view formula = "proximal gradient, accelerated; convex losses";
  static constexpr MethodTraits traits = {.turns = Turns::synchronous,
                                          .whole_gradient = true,
                                          .accelerated = true,
                                          .convex_only = true,
                                          .lazy = false};
  static constexpr auto parameters() { return std::tuple(); }

  using ServerPart = PlainServer;
  using WorkerPart = WholeShardWorker;
};
static_assert(Method<Fista>);

}  // namespace asynprox
