// The Euclidean norm in a diagonal metric with steps s_j > 0:
//
//   shrink:    argmin_z lambda |z| + sum_j (z_j - v_j)^2 / (2 s_j)
//              0 where sum_j (v_j / s_j)^2 <= lambda^2, else z_j = v_j r / (r + lambda s_j), r =
//              |z|
//   project:   argmin_z sum_j (z_j - v_j)^2 / (2 s_j) where |z| <= r
//              v where |v| <= r, else z_j = v_j r / (r + theta s_j) with theta such that |z| = r
//
// Both solve the same secular equation, the first for r and the second for theta:
//
//   |p| = 1,   p_j = v_j / (r + theta s_j)
//
// 1 / |p| rises with r and with theta and is concave in each, so that Newton's method from below
// stays below and converges: More and Sorensen (1983), Computing a trust region step. The starts
// here are such that no |p_j| is above 1.
#pragma once

#include <span>

namespace asynprox {

// In place. Steps may be huge: where lambda s_j overflows, z_j is 0.
void shrink_scaled(std::span<double> v, std::span<const double> etas, double lambda);

// In place, radius > 0. Only ratios of the steps count.
void project_onto_ball_scaled(std::span<double> v, std::span<const double> etas, double radius);

}  // namespace asynprox
