// The proximal gradient method: v = grad f(x), of all samples, every worker's share in every step.
//
// Combettes and Wajs (2005), Signal recovery by proximal forward-backward splitting.
#pragma once

#include <string_view>
#include <tuple>

#include "asynprox/algorithm/methods/plain.h"

namespace asynprox {

struct ProxGd {
  static constexpr std::string_view name = "prox-gd";
  static constexpr std::string_view formula = "proximal gradient: every sample in every step";
  static constexpr MethodTraits traits = {
      .turns = Turns::synchronous, .batch = BatchOf::all_samples, .lazy = LazyForm::none};
  static constexpr auto parameters() { return std::tuple(); }

  using ServerPart = PlainServer;
  using WorkerPart = WholeShardWorker;
};
static_assert(Method<ProxGd>);

}  // namespace asynprox
