// The intercept that a linear model would choose if nothing else changed:
//
//   argmin over b in R^C of  sum_i w_i phi(u_i + b, y_i)
//
// for a convex phi, to the last digits that its derivatives have.
#pragma once

#include <optional>
#include <span>

#include "asynprox/linalg/vectors.h"
#include "asynprox/losses/any_loss.h"

namespace asynprox {

// u has C numbers per sample, y one, weights one (empty: all one). Empty where there is no minimum (a
// logistic loss of one label), there are more than 64 outputs, or none was found to a billionth of
// the derivatives' size.
std::optional<Vector> best_shift(const AnyLoss& loss, std::span<const double> u,
                                 std::span<const double> y, std::span<const double> weights);

}  // namespace asynprox
