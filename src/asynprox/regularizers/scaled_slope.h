// Sorted l1 in a diagonal metric with steps s_j > 0:
//
//   argmin_z lambda sum_i w_i |z|_(i) + sum_j (z_j - v_j)^2 / (2 s_j)      w_1 >= w_2 >= ... >= 0
//
// z has the signs of v. Of sizes a = |v| the sum is the Lovasz extension of a submodular function
// F(A) = w_1 + ... + w_|A|, so z is found by decomposition. If all of a set were equal, they would
// be
//
//   t = (sum_j a_j / s_j - lambda F) / sum_j 1 / s_j
//
// and they are, unless a part A of the set gains by being larger: lambda F(A) < sum_A (a_j - t) /
// s_j. F counts, so the part that gains most are the first of all when sorted by (a_j - t) / s_j.
// That part has the larger sizes and the first weights, the rest the others, and each is a set of
// its own.
//
// Groenevelt (1991), Two algorithms for maximizing a separable concave function over a polymatroid
// feasible region; Bach (2013), Learning with submodular functions.
#pragma once

#include <span>

namespace asynprox {

// In place; one weight per coordinate. Sorts every set: quadratic in the worst case, but sets whose
// t is not positive are not looked into, so that zeros are cheap.
void shrink_sorted_scaled(std::span<double> v, std::span<const double> etas, double lambda,
                          std::span<const double> weights);

}  // namespace asynprox
