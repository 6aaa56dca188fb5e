// The intercept that a linear model would choose if nothing else changed:
//
//   argmin over b in R^C of  sum_i w_i phi(u_i + b, y_i)
//
// for a convex phi, to the last digits that its derivatives have.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "asynprox/linalg/vectors.h"
#include "asynprox/losses/any_loss.h"

namespace asynprox {

// Newton's matrix costs a pass over the samples for every output: not worth it for more.
inline constexpr std::size_t kShiftOutputsMax = 64;

// u has C numbers per sample, y one, weights one (empty: all one). Empty where there is no minimum (a
// logistic loss of one label), there are more than 64 outputs, or none was found to a billionth of
// the derivatives' size.
std::optional<Vector> best_shift(const AnyLoss& loss, std::span<const double> u,
                                 std::span<const double> y, std::span<const double> weights);

}  // namespace asynprox
