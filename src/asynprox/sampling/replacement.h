// Every sample with the same probability, each time anew: what the paper assumes.
#pragma once

#include <optional>
#include <string_view>
#include <tuple>

#include "asynprox/sampling/distinct.h"
#include "asynprox/sampling/sampling.h"

namespace asynprox {

struct Replacement {
  static constexpr std::string_view name = "replacement";
  static constexpr std::string_view formula = "uniform, each time anew: as the paper assumes";
  static constexpr bool takes_turns = false;
  static constexpr bool asks_for_lipschitz() { return false; }

  static constexpr auto parameters() { return std::tuple(); }

  class Sampler {
   public:
    Sampler(const Replacement&, const SamplingSetup& setup) : setup_(setup) {
      if (setup.distinct) distinct_.emplace(setup.range);
    }

    void draw(std::uint64_t number, std::vector<SampleIndex>& samples, Vector& weights) {
      weights.clear();
      samples.clear();
      const SampleRange& range = setup_.range;
      if (distinct_) {
        const Random random = setup_.random.stream(number);
        return distinct_->fill(setup_.count, samples, [&](std::uint64_t attempt) {
          return range.first + random.index_at(attempt, range.size());
        });
      }
      samples.resize(setup_.count);
      for (std::uint64_t i = 0; i < samples.size(); ++i)
        samples[i] = static_cast<SampleIndex>(
            range.first + setup_.random.index_at(number * samples.size() + i, range.size()));
    }

   private:
    SamplingSetup setup_;
    std::optional<DistinctDraws> distinct_;
  };
};
static_assert(SamplingRule<Replacement>);

}  // namespace asynprox
