// What planning has to know of a method.
#pragma once

#include <string_view>

namespace asynprox {

enum class Turns {
  asynchronous,  // no worker waits for another, but for the bound on staleness
  synchronous,   // every worker once in every step, none stale
};

// Which samples the gradients of a step are of.
enum class BatchOf {
  any_samples,  // drawn from all n
  own_samples,  // each worker remembers something of its samples, and draws from these alone
  all_samples,  // every sample once: no noise, and no batch size to choose
};

// How the step size `auto` is controlled.
enum class StepControl {
  rule,    // by its formula alone
  judged,  // longer or shorter by what evaluations find (bold_driver.h). For a method whose noise
           // vanishes at the optimum: its steps need not become small
  judged_and_batches_grow,  // the same, and where noise makes the objective rise, batches grow. For
                            // a method that keeps nothing that depends on their size
  refinements,  // there are none: evaluations refine the model from the first one on (refinements/)
};

// What a step does about coordinates that its samples do not touch.
enum class LazyForm {
  none,        // it moves them, so that the model has to be dense
  proxes,      // their proxes, which are made up for when they are read (lazy_state.cc)
  on_support,  // nothing; ServerSetup::support_weights make up for it where they are touched
};

inline constexpr std::string_view kOwnDirection = "steps go along the mean of the pushes: no";

// Facts about a method; the defaults are those of Algorithm 1 with fixed batches.
struct MethodTraits {
  Turns turns = Turns::asynchronous;
  BatchOf batch = BatchOf::any_samples;
  StepControl control = StepControl::rule;
  LazyForm lazy = LazyForm::proxes;
  double cost = 1;  // gradients computed for each sample of a batch, on average
  // The assumption of the paper's theorem that the method does not meet; empty: none.
  std::string_view outside_theorem = {};
};

}  // namespace asynprox
