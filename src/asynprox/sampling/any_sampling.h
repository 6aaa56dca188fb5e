// Any sampling rule as a value, and what draws by it; called once a batch.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "asynprox/base/family.h"
#include "asynprox/sampling/sampling.h"

namespace asynprox {

// Draws by some rule, for one worker.
class AnySampler {
 public:
  virtual ~AnySampler() = default;

  // The same number gives the same draw.
  virtual void draw(std::uint64_t number, std::vector<SampleIndex>& samples, Vector& weights) = 0;
};

class AnySampling {
 public:
  template <SamplingRule Rule>
  AnySampling(Rule rule)  // NOLINT: converts
      : rule_(std::make_shared<const Holder<Rule>>(std::move(rule))) {}

  std::string_view name() const { return rule_->name(); }
  // The spec that makes it again: NAME:KEY=VALUE,... of what differs from its defaults.
  std::string spec() const { return rule_->spec(); }
  bool takes_turns() const { return rule_->takes_turns(); }
  bool asks_for_lipschitz() const { return rule_->asks_for_lipschitz(); }
  // The rule, if it is of this type.
  template <class Rule>
  const Rule* get_if() const {
    const auto* holder = dynamic_cast<const Holder<Rule>*>(rule_.get());
    return holder ? &holder->rule : nullptr;
  }
  std::unique_ptr<AnySampler> sampler(const SamplingSetup& setup) const {
    return rule_->sampler(setup);
  }

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual std::string_view name() const = 0;
    virtual std::string spec() const = 0;
    virtual bool takes_turns() const = 0;
    virtual bool asks_for_lipschitz() const = 0;
    virtual std::unique_ptr<AnySampler> sampler(const SamplingSetup& setup) const = 0;
  };
  template <class Rule>
  struct Holder final : Interface {
    struct Drawing final : AnySampler {
      Drawing(const Rule& rule, const SamplingSetup& setup) : sampler(rule, setup) {}
      void draw(std::uint64_t number, std::vector<SampleIndex>& samples, Vector& weights) override {
        sampler.draw(number, samples, weights);
      }
      typename Rule::Sampler sampler;
    };

    explicit Holder(Rule held) : rule(std::move(held)) { check_parameters(rule); }
    std::string_view name() const override { return Rule::name; }
    std::string spec() const override { return spec_of(rule).text(); }
    bool takes_turns() const override { return Rule::takes_turns; }
    bool asks_for_lipschitz() const override { return rule.asks_for_lipschitz(); }
    std::unique_ptr<AnySampler> sampler(const SamplingSetup& setup) const override {
      return std::make_unique<Drawing>(rule, setup);
    }
    const Rule rule;
  };

  std::shared_ptr<const Interface> rule_;
};

}  // namespace asynprox
