// FISTA: proximal gradient steps of all samples, with Nesterov's acceleration. With t_0 = 1:
//
//   x_{k+1} = prox_{eta h}(y_k - eta grad f(y_k))
//   t_{k+1} = (1 + sqrt(1 + 4 t_k^2)) / 2
//   y_{k+1} = x_{k+1} + (t_k - 1) / t_{k+1} (x_{k+1} - x_k)
//
// and t = 1, y_{k+1} = x_{k+1} where the momentum points uphill: (y_k - x_{k+1})'(x_{k+1} - x_k) > 0.
//
// Beck and Teboulle (2009), A fast iterative shrinkage-thresholding algorithm for linear inverse
// problems; O'Donoghue and Candes (2015), Adaptive restart for accelerated gradient schemes (its
// gradient scheme).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <tuple>

#include "asynprox/algorithm/methods/plain.h"
#include "asynprox/algorithm/model_state.h"

namespace asynprox {

struct Fista {
  static constexpr std::string_view name = "fista";
  static constexpr std::string_view formula = "proximal gradient, accelerated; convex losses";
  static constexpr MethodTraits traits = {
      .turns = Turns::synchronous,
      .batch = BatchOf::all_samples,
      .lazy = LazyForm::none,
      .outside_theorem = "gradients are taken at iterates: no, at extrapolated points"};
  static constexpr auto parameters() { return std::tuple(); }

  static std::string obstacle(const Problem& problem);

  // Workers are handed y_k, and the answer is x_k.
  static std::unique_ptr<ModelState> make_state(StateSetup setup);

  using ServerPart = PlainServer;
  using WorkerPart = WholeShardWorker;
};
static_assert(Method<Fista>);

}  // namespace asynprox
