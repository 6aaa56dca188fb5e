// Any sampling rule as a value, and what draws by it; called once per batch.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "asynprox/base/erased.h"
#include "asynprox/sampling/sampling.h"

namespace asynprox {

// Draws by some rule, for one worker.
class AnySampler {
 public:
  virtual ~AnySampler() = default;

  // The same number gives the same draw.
  virtual void draw(std::uint64_t number, std::vector<SampleIndex>& samples, Vector& weights) = 0;
};

struct SamplingInterface : MemberInterface {
  bool takes_turns = false;
  bool asks_for_lipschitz = false;
  virtual std::unique_ptr<AnySampler> sampler(const SamplingSetup& setup) const = 0;
};

template <SamplingRule Rule>
struct SamplingAdapter final : Adapter<SamplingInterface, Rule> {
  struct Drawing final : AnySampler {
    Drawing(const Rule& rule, const SamplingSetup& setup) : sampler(rule, setup) {}
    void draw(std::uint64_t number, std::vector<SampleIndex>& samples, Vector& weights) override {
      sampler.draw(number, samples, weights);
    }
    typename Rule::Sampler sampler;
  };

  explicit SamplingAdapter(Rule rule) : Adapter<SamplingInterface, Rule>(std::move(rule)) {
    this->takes_turns = Rule::takes_turns;
    this->asks_for_lipschitz = this->held.asks_for_lipschitz();
  }
  std::unique_ptr<AnySampler> sampler(const SamplingSetup& setup) const override {
    return std::make_unique<Drawing>(this->held, setup);
  }
};

class AnySampling : public Erased<SamplingInterface> {
 public:
  template <SamplingRule Rule>
  AnySampling(Rule rule)  // NOLINT: converts
      : Erased(std::make_shared<const SamplingAdapter<Rule>>(std::move(rule))) {}

  bool takes_turns() const { return held().takes_turns; }
  bool asks_for_lipschitz() const { return held().asks_for_lipschitz; }
  std::unique_ptr<AnySampler> sampler(const SamplingSetup& setup) const {
    return held().sampler(setup);
  }
};

// The member of the family (all.h) that a spec names.
AnySampling make_sampling(const Spec& spec, const ReadNumbers& read = nullptr);

}  // namespace asynprox
