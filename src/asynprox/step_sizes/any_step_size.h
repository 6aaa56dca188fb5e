// Any step size as a value; called once per step.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "asynprox/base/erased.h"
#include "asynprox/step_sizes/corollary.h"
#include "asynprox/step_sizes/step_size.h"

namespace asynprox {

struct StepSizeInterface : MemberInterface {
  bool looks_at_delays = false;
  bool bold = false;
  bool asks_about_start = false;
  virtual double eta(const StepContext& context) const = 0;
  virtual std::optional<CorollaryTerms> corollary(const StepContext& context) const = 0;
};

template <StepSize Step>
struct StepSizeAdapter final : Adapter<StepSizeInterface, Step> {
  explicit StepSizeAdapter(Step step) : Adapter<StepSizeInterface, Step>(std::move(step)) {
    this->looks_at_delays = requires { requires Step::looks_at_delays; };
    this->bold = requires { requires Step::bold; };
    if constexpr (requires { step.asks_about_start(); })
      this->asks_about_start = this->held.asks_about_start();
  }
  double eta(const StepContext& context) const override { return this->held.eta(context); }
  std::optional<CorollaryTerms> corollary(
      [[maybe_unused]] const StepContext& context) const override {
    if constexpr (requires(const Step step) { step.corollary(context); })
      return this->held.corollary(context);
    return std::nullopt;
  }
};

class AnyStepSize : public Erased<StepSizeInterface> {
 public:
  template <StepSize Step>
  AnyStepSize(Step step)  // NOLINT: converts
      : Erased(std::make_shared<const StepSizeAdapter<Step>>(std::move(step))) {}

  double eta(const StepContext& context) const { return held().eta(context); }

  // See step_size.h; false and empty where a step says nothing.
  bool looks_at_delays() const { return held().looks_at_delays; }
  bool bold() const { return held().bold; }
  bool asks_about_start() const { return held().asks_about_start; }
  std::optional<CorollaryTerms> corollary(const StepContext& context) const {
    return held().corollary(context);
  }
};

// The member of the family (all.h) that a spec names.
AnyStepSize make_step_size(const Spec& spec, const ReadNumbers& read = nullptr);

}  // namespace asynprox
