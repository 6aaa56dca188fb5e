// SVRG without loops (Kovalev, Horvath, Richtarik), asynchronous: for any finite sum.
//
//   push of a batch B:   sum over i in B of weight_i (grad F_i(x) - grad F_i(anchor))
//   v                  = G + mean,     mean = (1/n) sum over all samples of grad F_i(anchor)
//
// Each worker has an anchor of its own for its samples, and their summed gradient there. It moves
// the anchor to the model it holds once per pass over its samples, at random: that push is about the
// whole shard, and the server's mean follows. So nobody waits for a full gradient.
//
// Johnson and Zhang (2013), Accelerating stochastic gradient descent using predictive variance
// reduction; Kovalev, Horvath and Richtarik (2020), Don't jump through hoops and remove those
// loops: SVRG and Katyusha are better without the outer loop.
#pragma once

#include <string_view>
#include <tuple>

#include "asynprox/algorithm/methods/mean_gradient.h"

namespace asynprox {

struct AsynProxSvrg {
  static constexpr std::string_view name = "asyn-prox-svrg";
  static constexpr std::string_view formula =
      "v = (1/N) sum (grad F_i(x) - grad F_i(anchor)) + grad f(anchor)";
  static constexpr MethodTraits traits = {.batch = BatchOf::own_samples,
                                          .control = StepControl::judged,
                                          .lazy = LazyForm::none,
                                          .cost = 3,
                                          .outside_theorem = kOwnDirection};
  static constexpr auto parameters() { return std::tuple(); }

  using ServerPart = MeanGradient;

  class WorkerPart {
   public:
    WorkerPart(const AsynProxSvrg&, const WorkerSetup& setup);

    bool wants_shard(std::uint64_t number) const;
    void compute(const Batch& batch, Push& push);
    void compute_shard(const Batch& batch, Push& push);
    void accepted();

    void add_remembered(const AnyFiniteSum&, std::span<double> g) const { add_scaled(g, 1, sum_); }

    template <IsA<WorkerPart> Part>
    friend void visit_fields(Part& part, auto&& visit) {
      visit("anchor", part.anchor_);
      visit("sum", part.sum_);
      visit("moves_anchor", part.moves_anchor_);
      visit("anchor_next", part.anchor_next_);
      visit("sum_next", part.sum_next_);
    }

   private:
    Random random_;
    double refresh_probability_;
    Vector anchor_, sum_;  // and the sum of the shard's gradients there
    // Of the push under way: whether it moves the anchor, and where to.
    bool moves_anchor_ = false;
    Vector anchor_next_, sum_next_;
    Vector at_anchor_;
  };
};
static_assert(Method<AsynProxSvrg>);

}  // namespace asynprox
