// One problem, solved with nothing chosen but the method and the epochs, and how well that went.
#pragma once

#include <optional>
#include <string>

#include "asynprox/algorithm/methods/all.h"
#include "asynprox/solve.h"

#include "benchmarks/defaults/optimum.h"
#include "benchmarks/defaults/problems.h"

namespace asynprox::benchmarks {

// The errors of an objective F, where F* is the minimum and F(0) the objective at the start:
//
//   way       (F - F*) / (F(0) - F*)
//   relative  (F - F*) / max(|F*|, (F(0) - F*) / 1000)       F* may be nearly 0
struct Scale {
  double start = 0;
  double minimum = 0;
  double way(double objective) const;
  double relative(double objective) const;
};

struct Outcome {
  double way = 0;
  double relative = 0;
  double epochs_to_1e3 = 0, epochs_to_1e6 = 0, epochs_to_1e9 = 0;  // relative; infinite: not
  double evaluations = 0;
  bool above_start = false;
  std::string settings;  // "N 16, dense"
};

// No method: as is best.
Outcome run_for(const DefaultsProblem& problem, const Optimum& optimum,
                const std::optional<AnyMethod>& method, int workers, double epochs);

// What a run says that may stop by itself, and whether it is true: "converged" promises a relative
// error of about `tolerance`, and is false where it is above ten times that.
struct Claim {
  bool converged = false;
  bool is_false = false;
  double relative = 0;
  double epochs = 0;
  std::string reason;
};

Claim claim_of(const DefaultsProblem& problem, const Optimum& optimum,
               const std::optional<AnyMethod>& method, int workers, double epochs,
               double tolerance);

}  // namespace asynprox::benchmarks
