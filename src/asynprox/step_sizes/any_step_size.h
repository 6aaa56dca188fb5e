// Any step size as a value; called once a step.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "asynprox/base/family.h"
#include "asynprox/step_sizes/corollary.h"
#include "asynprox/step_sizes/step_size.h"

namespace asynprox {

class AnyStepSize {
 public:
  template <StepSize Step>
  AnyStepSize(Step step) : step_(std::make_shared<const Holder<Step>>(step)) {  // NOLINT: converts
    check_parameters(step);
  }

  std::string_view name() const { return step_->name(); }
  // The spec that makes it again: NAME:KEY=VALUE,... of what differs from its defaults.
  std::string spec() const { return step_->spec(); }
  double eta(const StepContext& context) const { return step_->eta(context); }

  // See step_size.h; false and empty where a step says nothing.
  bool looks_at_delays() const { return step_->looks_at_delays(); }
  bool bold() const { return step_->bold(); }
  bool asks_about_start() const { return step_->asks_about_start(); }
  std::optional<CorollaryTerms> corollary(const StepContext& context) const {
    return step_->corollary(context);
  }

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual std::string_view name() const = 0;
    virtual std::string spec() const = 0;
    virtual double eta(const StepContext& context) const = 0;
    virtual bool looks_at_delays() const = 0;
    virtual bool bold() const = 0;
    virtual bool asks_about_start() const = 0;
    virtual std::optional<CorollaryTerms> corollary(const StepContext& context) const = 0;
  };
  template <class Step>
  struct Holder final : Interface {
    explicit Holder(Step held) : step(held) {}
    std::string_view name() const override { return Step::name; }
    std::string spec() const override { return spec_of(step).text(); }
    double eta(const StepContext& context) const override { return step.eta(context); }
    bool looks_at_delays() const override {
      return requires { requires Step::looks_at_delays; };
    }
    bool bold() const override {
      return requires { requires Step::bold; };
    }
    bool asks_about_start() const override {
      if constexpr (requires { step.asks_about_start(); }) return step.asks_about_start();
      return false;
    }
    std::optional<CorollaryTerms> corollary(
        [[maybe_unused]] const StepContext& context) const override {
      if constexpr (requires { step.corollary(context); }) return step.corollary(context);
      return std::nullopt;
    }
    const Step step;
  };

  std::shared_ptr<const Interface> step_;
};

}  // namespace asynprox
