// SAGA in minibatches (Defazio, Bach, Lacoste-Julien), asynchronous: for linear models.
//
//   push of a batch B:   sum over i in B of weight_i (c_i - t_i) a_i        c_i = phi'(u_i) at x
//   v                  = G + mean,     mean = (1/n) sum_i t_i a_i           at the server
//   then                 t_i <- c_i on B, and the mean follows
//
// A worker keeps the scalars t_i of its own samples: C numbers each. The first push reads the whole
// shard, t_i = c_i at x_0. In a lazy model the mean counts on the support of the batch, more where
// that is rare (Leblond, Pedregosa, Lacoste-Julien): see mean_gradient.h.
//
// Defazio, Bach and Lacoste-Julien (2014), SAGA: a fast incremental gradient method with support
// for non-strongly convex composite objectives; Leblond, Pedregosa and Lacoste-Julien (2017),
// ASAGA: asynchronous parallel SAGA.
#pragma once

#include <string>
#include <string_view>
#include <tuple>

#include "asynprox/algorithm/methods/mean_gradient.h"

namespace asynprox {

struct AsynProxSaga {
  static constexpr std::string_view name = "asyn-prox-saga";
  static constexpr std::string_view formula =
      "v = (1/N) sum (phi'_i - remembered) a_i + their mean; linear models";
  static constexpr MethodTraits traits = {.batch = BatchOf::own_samples,
                                          .control = StepControl::judged,
                                          .lazy = LazyForm::on_support,
                                          .outside_theorem = kOwnDirection};
  static constexpr auto parameters() { return std::tuple(); }

  static std::string obstacle(const Problem& problem);

  using ServerPart = MeanGradient;

  class WorkerPart {
   public:
    WorkerPart(const AsynProxSaga&, const WorkerSetup& setup);

    bool wants_shard(std::uint64_t number) const { return number == 0; }
    void compute(const Batch& batch, Push& push);
    void compute_shard(const Batch& batch, Push& push);
    void accepted();

    void add_remembered(const AnyFiniteSum& f, std::span<double> g) const;

    template <IsA<WorkerPart> Part>
    friend void visit_fields(Part& part, auto&& visit) {
      visit("table", part.table_);
      visit("samples", part.samples_);
      visit("scalars", part.scalars_);
    }

   private:
    std::size_t place(SampleIndex sample) const { return (sample - first_) * outputs_; }
    // Notes the samples, and their scalars at the model.
    void note(const Batch& batch);

    std::size_t first_, outputs_;
    Vector table_;  // t_i of the shard, sample by sample
    // Of the push under way: its samples, and what is to be remembered of them.
    std::vector<SampleIndex> samples_;
    Vector scalars_, changes_;
  };
};
static_assert(Method<AsynProxSaga>);

}  // namespace asynprox
