// Pass after pass over the samples, each in a new random order. Every sample comes once per pass, but
// for the few that do not fill a draw at its end; each pass leaves out others.
//
// Draws of a pass are not independent, as the paper assumes them to be; it is usually faster.
//
// Mishchenko, Khaled and Richtarik (2020), Random reshuffling: simple analysis with vast
// improvements.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "asynprox/sampling/order.h"
#include "asynprox/sampling/sampling.h"

namespace asynprox {

struct Reshuffle {
  static constexpr std::string_view name = "reshuffle";
  static constexpr std::string_view formula = "pass after pass, each in a new random order";
  static constexpr bool takes_turns = false;
  static constexpr bool asks_for_lipschitz() { return false; }

  static constexpr auto parameters() { return std::tuple(); }

  class Sampler {
   public:
    Sampler(const Reshuffle&, const SamplingSetup& setup)
        : setup_(setup), order_(all_of(setup.range)) {}

    void draw(std::uint64_t number, std::vector<SampleIndex>& samples, Vector& weights) {
      weights.clear();
      samples.resize(setup_.count);
      const std::uint64_t n = setup_.range.size(), count = setup_.count;
      if (count <= n) {
        // What does not fill a draw is left out of the pass.
        const std::uint64_t draws = n / count;
        const auto order = order_.of(setup_.random, number / draws);
        std::ranges::copy(order.subspan(number % draws * count, count), samples.begin());
        return;
      }
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t place = number * count + i;
        samples[i] = order_.of(setup_.random, place / n)[place % n];
      }
    }

   private:
    SamplingSetup setup_;
    Order order_;
  };
};
static_assert(SamplingRule<Reshuffle>);

}  // namespace asynprox
