//   v <- (1 - weight) v + weight G          v_0 = G_0
//
// A running mean of the batches: less noise, for directions that are older. With weight -> 0 as
// K^-1/2 it converges for nonconvex composite problems at a constant batch size, where Algorithm 1
// need not (docs/theory.md has the example); at a fixed weight noise remains.
//
// Gao, Rodomanov and Stich (2024), Non-convex stochastic composite optimization with Polyak
// momentum.
#pragma once

#include <cmath>
#include <string_view>
#include <tuple>
#include <utility>

#include "asynprox/algorithm/methods/plain.h"
#include "asynprox/base/parameters.h"

namespace asynprox {

struct AsynProxMomentum {
  static constexpr std::string_view name = "asyn-prox-momentum";
  static constexpr std::string_view formula = "v <- (1 - weight) v + weight G";
  static constexpr MethodTraits traits = {.lazy = LazyForm::none, .outside_theorem = kOwnDirection};
  double weight = 0;

  static constexpr auto parameters() {
    return std::tuple(parameter(&AsynProxMomentum::weight, "weight", Bounds{.lower = 0, .upper = 1},
                                "of the newest batch; 0: K^-1/2 of K steps, 0.1 if K is unknown"));
  }

  class ServerPart {
   public:
    ServerPart(const AsynProxMomentum& method, const ServerSetup& setup)
        : weight_(method.weight > 0 ? method.weight : usual_weight(setup)),
          mean_(setup.dimension) {}

    bool direct(const StepPushes&, const StepDirection& direction) {
      const double share = std::exchange(begun_, true) ? weight_ : 1;
      direction.for_each([&](double& v, std::size_t j) {
        mean_[j] += share * (v - mean_[j]);
        v = mean_[j];
      });
      return true;
    }
    void forget() {}
    void restored() { begun_ = false; }  // where it came from does not matter any more

    template <IsA<ServerPart> Part>
    friend void visit_fields(Part& part, auto&& visit) {
      visit("mean", part.mean_);
      visit("begun", part.begun_);
    }

   private:
    static double usual_weight(const ServerSetup& setup) {
      if (!setup.horizon || *setup.horizon < 1) return 0.1;
      return 1 / std::sqrt(static_cast<double>(*setup.horizon));
    }

    double weight_;
    Vector mean_;
    bool begun_ = false;
  };
  using WorkerPart = PlainWorker;
};
static_assert(Method<AsynProxMomentum>);

}  // namespace asynprox
