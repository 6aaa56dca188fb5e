#include "asynprox/fit/run_problem.h"

#include "asynprox/run/linear_model.h"

namespace asynprox {

Result RunProblem::result(Result found) const {
  for (double& intercept : found.intercept) intercept += label_shift;
  return found;
}

RunProblem run_problem(const FitProblem& fit) {
  if (fit.sum) return {.problem = make_problem(fit.sum->f, fit.regularizer), .x0 = fit.x0};
  const ShiftedModel model = shifted_model(fit.data, fit.loss, fit.spec.intercept);
  return {.problem = make_problem(model.f, fit.regularizer),
          .x0 = model.start(fit.x0),
          .label_shift = model.shift};
}

Options run_options(const FitProblem& fit, Options options) {
  options.intercept = fit.spec.intercept;
  options.start = fit.start;
  options.x0 = fit.x0;
  if (fit.sum) return options;
  return with_start(std::move(options), fit.data, fit.loss);
}

}  // namespace asynprox
