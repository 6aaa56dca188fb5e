// Proximal Newton: each step minimises h plus a quadratic model of f, on the coordinates that move.
// For convex linear models and separable h.
//
//   z minimises   grad f(x)'(z - x) + (z - x)'H (z - x) / 2 + h(z),     x <- x + t (z - x)
//
// There are no steps of Algorithm 1: from the first evaluation on, each evaluation goes on by the
// refinement of the same name, refinements/newton_search.h, and by FISTA where its steps gain too
// little (refinements/fista_search.h): what a run does that has fallen back. Workers sum the shares
// of these passes.
//
// Lee, Sun and Saunders (2014), Proximal Newton-type methods for minimizing composite functions.
#pragma once

#include <string>
#include <string_view>
#include <tuple>

#include "asynprox/algorithm/methods/plain.h"

namespace asynprox {

struct ProxNewton {
  static constexpr std::string_view name = "prox-newton";
  static constexpr std::string_view formula =
      "x <- argmin of a quadratic model of f, plus h; convex linear models, separable h";
  static constexpr MethodTraits traits = {.turns = Turns::synchronous,
                                          .batch = BatchOf::all_samples,
                                          .control = StepControl::refinements,
                                          .lazy = LazyForm::none,
                                          .outside_theorem = kOwnDirection};
  static constexpr auto parameters() { return std::tuple(); }

  static std::string obstacle(const Problem& problem);

  using ServerPart = PlainServer;
  using WorkerPart = WholeShardWorker;
};
static_assert(Method<ProxNewton>);

}  // namespace asynprox
