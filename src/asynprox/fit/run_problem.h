// The problem of a fit as a run takes it, for runtimes whose parts are made in several processes:
// each builds the same problem, and starts from the same plan.
#pragma once

#include <optional>

#include "asynprox/fit/fit_problem.h"
#include "asynprox/problem/problem.h"
#include "asynprox/run/options.h"
#include "asynprox/run/result.h"

namespace asynprox {

struct RunProblem {
  Problem problem;
  std::optional<Vector> x0;  // in the units of the problem
  double label_shift = 0;    // to be added to the intercepts of a result

  Result result(Result found) const;
};

// Borrows the data of `fit`.
RunProblem run_problem(const FitProblem& fit);

// The options with what the problem says: its start, whether there is an intercept.
Options run_options(const FitProblem& fit, Options options);

}  // namespace asynprox
