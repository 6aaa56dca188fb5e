// Pass after pass over the samples, each in a new random order. Every sample comes once a pass, but
// for the few that do not fill a draw at its end; each pass leaves out others.
//
// Draws of a pass are not independent, as the paper assumes them to be; it is usually faster.
#pragma once

#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

#include "asynprox/sampling/sampling.h"

namespace asynprox {

struct Reshuffle {
  static constexpr std::string_view name = "reshuffle";
  static constexpr std::string_view formula = "pass after pass, each in a new random order";
  static constexpr bool asks_for_lipschitz = false;

  static constexpr auto parameters() { return std::tuple(); }

  class Sampler {
   public:
    Sampler(const Reshuffle&, const SamplingSetup& setup)
        : setup_(setup), order_(setup.range.size()) {}

    void draw(std::uint64_t number, std::vector<SampleIndex>& samples, Vector& weights) {
      weights.clear();
      samples.resize(setup_.count);
      const std::uint64_t n = order_.size();
      // What does not fill a draw is left out of the pass, unless a draw is more than a pass.
      const std::uint64_t pass_size = setup_.count <= n ? n / setup_.count * setup_.count : n;
      for (std::uint64_t i = 0; i < samples.size(); ++i) {
        const std::uint64_t place = number * samples.size() + i;
        shuffle(place / pass_size);
        samples[i] = order_[place % pass_size];
      }
    }

   private:
    void shuffle(std::uint64_t pass) {
      if (pass == pass_) return;
      pass_ = pass;
      std::iota(order_.begin(), order_.end(), static_cast<SampleIndex>(setup_.range.first));
      const Random random = setup_.random.stream(pass);
      for (std::uint64_t left = order_.size(); left > 1; --left)
        std::swap(order_[left - 1], order_[random.index_at(left, left)]);
    }

    SamplingSetup setup_;
    std::vector<SampleIndex> order_;
    std::uint64_t pass_ = ~std::uint64_t{0};  // the one that order_ is of
  };
};
static_assert(SamplingRule<Reshuffle>);

}  // namespace asynprox
