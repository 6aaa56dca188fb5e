// Any step size as a value; called once a step.
#pragma once

#include <memory>
#include <string_view>

#include "asynprox/base/family.h"
#include "asynprox/step_sizes/step_size.h"

namespace asynprox {

class AnyStepSize {
 public:
  template <StepSize Step>
  AnyStepSize(Step step) : step_(std::make_shared<const Holder<Step>>(step)) {  // NOLINT: converts
    check_parameters(step);
  }

  std::string_view name() const { return step_->name(); }
  double eta(const StepContext& context) const { return step_->eta(context); }

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual std::string_view name() const = 0;
    virtual double eta(const StepContext& context) const = 0;
  };
  template <class Step>
  struct Holder final : Interface {
    explicit Holder(Step held) : step(held) {}
    std::string_view name() const override { return Step::name; }
    double eta(const StepContext& context) const override { return step.eta(context); }
    const Step step;
  };

  std::shared_ptr<const Interface> step_;
};

}  // namespace asynprox
