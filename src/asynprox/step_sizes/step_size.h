// What a step size is: eta_k as a function of what is known when step k is taken.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>

namespace asynprox {

struct StepContext {
  std::int64_t k = 0;  // the number of the step, from 0

  // K: how many steps the run will take, where that is known.
  std::optional<std::int64_t> horizon = std::nullopt;

  // A scale for schedules without a horizon: the steps of one epoch, n / N.
  double steps_per_epoch = 1;

  // Smoothness: of f (largest curvature), and of the worst single sample; 0 where unknown.
  double lipschitz = 0;
  double lipschitz_sample_max = 0;

  std::int64_t batch_size = 1;   // N
  std::int64_t num_samples = 1;  // n
  bool full_gradient = false;    // the step uses every sample, once

  // Evaluations judge the steps, so that no decay is needed; and how far beyond a safe step they
  // let them go.
  bool judged = false;
  double boldness = 1;

  // In steps: what W workers and m pushes give, ceil((W - 1) / m), or the age of the oldest push in
  // this very step if that is more.
  std::int64_t staleness = 0;

  // That age itself.
  std::int64_t staleness_oldest = 0;

  // For the theory: T as enforced, a bound on L that is safe (0: none is known), and, for steps
  // that ask about the start, at least Psi(x_0) - Psi* and sigma^2 at x_0.
  std::int64_t staleness_max = 0;
  double lipschitz_bound = 0;
  std::optional<double> gap = std::nullopt;
  double variance = 0;
};

// One may also have
//   looks_at_delays        a constant, true: eta depends on `staleness` or `staleness_oldest`
//   bold                   a constant, true: it follows `boldness`, where evaluations judge
//   asks_about_start()     true: it wants `gap` and `variance`, which take a pass over the data
//   corollary(context)     the terms of the paper's corollary as it takes them
template <class Step>
concept StepSize = std::default_initializable<Step> && std::copyable<Step> &&
                   requires(const Step step, const StepContext& context) {
                     { Step::name } -> std::convertible_to<std::string_view>;
                     { Step::formula } -> std::convertible_to<std::string_view>;
                     Step::parameters();
                     { step.eta(context) } -> std::same_as<double>;
                   };

}  // namespace asynprox
