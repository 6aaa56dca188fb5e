// Pass after pass over the samples, each in a new random order that all workers share, cut in even
// pieces, which the server deals out one after the other. So each sample is drawn exactly once a
// pass, and a step of as many pushes as there are pieces is along the gradient itself, but for the
// few pieces that workers still have in hand when a pass ends.
//
// Of a sample that is far more curved than the mean a pass has several copies, which count less:
//
//   copies_i = clip(floor(L_i / mean L), 1, copies)     weight_i = count * pieces / (n copies_i)
//
// count: at least the size of a piece. Draws of a pass are not independent, as the paper assumes
// them to be.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "asynprox/base/parameters.h"
#include "asynprox/sampling/order.h"
#include "asynprox/sampling/sampling.h"

namespace asynprox {

struct Passes {
  static constexpr std::string_view name = "passes";
  static constexpr std::string_view formula =
      "pass after pass, in orders and pieces that workers share";
  static constexpr bool takes_turns = true;
  double pieces = 0;
  double copies = 1;

  static constexpr auto parameters() {
    return std::tuple(parameter(&Passes::pieces, "pieces", at_least(0),
                                "of a pass, one per push; 0: as many as the batch size asks for"),
                      parameter(&Passes::copies, "copies", at_least(1),
                                "of the most curved samples in a pass, at most"));
  }

  bool asks_for_lipschitz() const { return copies > 1; }

  // Of each sample, by its curvature.
  std::vector<std::size_t> copies_of(std::span<const double> curvatures) const;

  class Sampler {
   public:
    Sampler(const Passes& rule, const SamplingSetup& setup);
    void draw(std::uint64_t number, std::vector<SampleIndex>& samples, Vector& weights);

   private:
    SamplingSetup setup_;
    std::vector<std::size_t> copies_;  // by sample of the range; empty: one each
    Order order_;
    std::uint64_t pieces_ = 1;
    double weight_ = 1;
  };
};
static_assert(SamplingRule<Passes>);

}  // namespace asynprox
