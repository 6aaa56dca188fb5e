// How curved f is near a point, estimated from gradients alone: for an f that knows no Lipschitz
// constant (facets/curvature.h), so that steps and batches can be chosen for it too.
//
//   H v ~ (grad f(x + t v) - grad f(x)) / t       power iteration on H gives L at x
//   |grad f(y) - grad f(x)| / |y - x|             and L is raised until it is no less than this for
//                                                 the proximal gradient step from x to y at 1 / L
//
// The largest L_i is found likewise, from the gradients of single samples. Gradients are those of
// some of the samples, and the results are doubled: no bound, but enough to choose steps by.
//
// Barzilai and Borwein (1988), Two-point step size gradient methods (steps from such differences);
// Beck and Teboulle (2009), A fast iterative shrinkage-thresholding algorithm for linear inverse
// problems (backtracking).
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "asynprox/problem/problem.h"
#include "asynprox/problem/smoothness.h"

namespace asynprox {

// Near x. Deterministic. Costs about 30 gradients of at most 1000 samples, and about 200 of single
// ones. L is 0 where gradients do not change, or are not finite. `interrupt` ends it when it becomes
// true: with what was found until then, which is no estimate.
Smoothness smoothness_by_differences(const Problem& problem, std::span<const double> x,
                                     std::uint64_t seed,
                                     const std::atomic<bool>* interrupt = nullptr);

// The largest L_i alone, likewise, for an f that knows L and none of its L_i.
double sample_lipschitz_by_differences(const Problem& problem, std::span<const double> x,
                                       std::uint64_t seed,
                                       const std::atomic<bool>* interrupt = nullptr);

}  // namespace asynprox
