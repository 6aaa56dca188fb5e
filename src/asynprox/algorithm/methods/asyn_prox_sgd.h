// Algorithm 1 of the paper: v = G, the mean gradient of the batch, at whatever models workers held.
//
// Zhu, Niu and Li (2018), Asynchronous stochastic proximal methods for nonconvex nonsmooth
// optimization.
#pragma once

#include <string_view>
#include <tuple>

#include "asynprox/algorithm/methods/plain.h"

namespace asynprox {

struct AsynProxSgd {
  static constexpr std::string_view name = "asyn-prox-sgd";
  static constexpr std::string_view formula = "Algorithm 1 of the paper: v = G";
  static constexpr MethodTraits traits = {.control = StepControl::judged_and_batches_grow};
  static constexpr auto parameters() { return std::tuple(); }

  using ServerPart = PlainServer;
  using WorkerPart = PlainWorker;
};
static_assert(Method<AsynProxSgd>);

}  // namespace asynprox
