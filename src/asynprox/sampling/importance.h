//   q_i = (1 - share) / n + share L_i / sum L        weight_i = 1 / (n q_i)
//
// n and the sum over the range drawn from. For data in which a few samples are far more curved than
// the others: those come more often, and count less. With even samples it only adds noise.
//
// Needell, Srebro and Ward (2014), Stochastic gradient descent, weighted sampling, and the
// randomized Kaczmarz algorithm; Zhao and Zhang (2015), Stochastic optimization with importance
// sampling for regularized loss minimization.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>

#include "asynprox/base/errors.h"
#include "asynprox/base/parameters.h"
#include "asynprox/sampling/distinct.h"
#include "asynprox/sampling/sampling.h"

namespace asynprox {

struct Importance {
  static constexpr std::string_view name = "importance";
  static constexpr std::string_view formula = "q_i = (1 - share) / n + share L_i / sum L";
  static constexpr bool takes_turns = false;
  static constexpr bool asks_for_lipschitz() { return true; }
  double share = 0.5;

  static constexpr auto parameters() {
    return std::tuple(parameter(&Importance::share, "share", Bounds{.lower = 0, .upper = 1},
                                "of the draws that follow L_i"));
  }

  class Sampler {
   public:
    Sampler(const Importance& rule, const SamplingSetup& setup)
        : share_(rule.share), setup_(setup) {
      require(setup.sample_lipschitz != nullptr,
              "sampling importance: needs the curvature of each sample, and this problem has none");
      const std::span<const double> curvatures(*setup.sample_lipschitz);
      for (const double curvature : curvatures.subspan(setup.range.first, setup.range.size()))
        sums_.push_back((sums_.empty() ? 0 : sums_.back()) + curvature);
      if (!(sums_.back() > 0)) share_ = 0;  // samples without any curvature: as good as even
      if (setup.distinct) distinct_.emplace(setup.range);
    }

    void draw(std::uint64_t number, std::vector<SampleIndex>& samples, Vector& weights) {
      const Random random = setup_.random.stream(number);
      samples.clear();
      const auto candidate = [&](std::uint64_t attempt) { return one(random, attempt); };
      if (distinct_)
        distinct_->fill(setup_.count, samples, candidate);
      else
        for (std::uint64_t i = 0; i < setup_.count; ++i)
          samples.push_back(static_cast<SampleIndex>(candidate(i)));
      weights.clear();
      for (const SampleIndex sample : samples) weights.push_back(weight(sample));
    }

   private:
    std::size_t one(const Random& random, std::uint64_t attempt) const {
      const SampleRange& range = setup_.range;
      if (random.uniform_at(2 * attempt) >= share_)
        return range.first + random.index_at(2 * attempt + 1, range.size());
      const double sum = random.uniform_at(2 * attempt + 1) * sums_.back();
      const auto place = std::ranges::upper_bound(sums_, sum);
      const auto last = static_cast<std::ptrdiff_t>(sums_.size()) - 1;
      return range.first + static_cast<std::size_t>(std::min(place - sums_.begin(), last));
    }

    double weight(std::size_t sample) const {
      const double part = share_ > 0 ? (*setup_.sample_lipschitz)[sample] / sums_.back() : 0;
      return 1 / (1 - share_ + share_ * part * static_cast<double>(sums_.size()));
    }

    double share_;
    SamplingSetup setup_;
    Vector sums_;  // of L_i over the range, up to and with each sample
    std::optional<DistinctDraws> distinct_;
  };
};
static_assert(SamplingRule<Importance>);

}  // namespace asynprox
