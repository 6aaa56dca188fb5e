// The entry point: minimise f(x) + h(x).
//
//   const asynprox::Dataset data = asynprox::read_dataset("a9a.xz");
//   const asynprox::Result result =
//       asynprox::solve(data, asynprox::LogisticLoss{}, asynprox::L1{.lambda = 1e-4});
//
// A program that names a method, a step size, a sampling rule, delays or an f includes the header of
// these too: methods.h, step_sizes.h, sampling.h, delays.h, finite_sum.h.
#pragma once

#include "asynprox/data/dataset.h"
#include "asynprox/losses/all.h"
#include "asynprox/regularizers/all.h"
#include "asynprox/run/options.h"
#include "asynprox/run/result.h"

namespace asynprox {

class AnyFiniteSum;  // finite_sum.h

// A linear model. For a loss of signs (-1 and +1) the larger of the data's two labels is +1. For a loss of
// several classes each label is a class, and outputs are in rising order of the labels.
Result solve(const Dataset& data, const AnyLoss& loss, const AnyRegularizer& h,
             const Options& options = {});

// Any finite sum.
Result solve(const AnyFiniteSum& f, const AnyRegularizer& h, const Options& options = {});

// The gradient of a linear model's f with respect to the coefficients, at zero coefficients and the best
// intercepts. It gives the least strength at which all coefficients are zero, of which "0.1max" is a
// tenth (share.h).
Vector gradient_at_zero(const Dataset& data, const AnyLoss& loss, const Options& options = {});

}  // namespace asynprox
