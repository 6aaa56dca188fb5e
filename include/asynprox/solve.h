// The front door: minimise f(x) + h(x).
//
//   const asynprox::Dataset data = asynprox::read_dataset("a9a.xz");
//   const asynprox::Result result =
//       asynprox::solve(data, asynprox::LogisticLoss{}, asynprox::L1{.lambda = 1e-4});
#pragma once

#include "asynprox/data/dataset.h"
#include "asynprox/losses/all.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/run/options.h"
#include "asynprox/run/result.h"
#include "asynprox/sums/any_finite_sum.h"

namespace asynprox {

// A linear model. For a loss of labels -1 and +1 the larger of the data's two labels is +1; for one
// that tells classes apart each label is a class, the smallest the first output.
Result solve(const Dataset& data, const AnyLoss& loss, const AnyRegularizer& h,
             const Options& options = {});

// Any finite sum.
Result solve(const AnyFiniteSum& f, const AnyRegularizer& h, const Options& options = {});

// The gradient of that model's f at coefficients of zero, without the intercepts, which are the
// best there: what a strength is measured by that is a share of the largest useful one (share.h).
Vector gradient_at_zero(const Dataset& data, const AnyLoss& loss, const Options& options = {});

// What a replay needs beside the plan of the run.
struct ReplayOptions {
  std::optional<Vector> x0 = {};  // where the plan says that it was given
  std::function<void(const Evaluation&)> on_evaluation = {};
};

// Makes a recorded run again, on one thread, from its plan and what Options::on_events got.
// DataError for a plan that makes no sense here (check_plan.h, planning.h).
Replayed replay(const Dataset& data, const AnyLoss& loss, const AnyRegularizer& h, const Plan& plan,
                const EventSource& next_event, const ReplayOptions& options = {});
Replayed replay(const AnyFiniteSum& f, const AnyRegularizer& h, const Plan& plan,
                const EventSource& next_event, const ReplayOptions& options = {});

}  // namespace asynprox
