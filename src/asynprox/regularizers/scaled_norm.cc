#include "asynprox/regularizers/scaled_norm.h"

#include <algorithm>
#include <cmath>

#include "asynprox/linalg/vectors.h"
#include "asynprox/regularizers/l2_ball.h"
#include "asynprox/regularizers/sets.h"
#include "asynprox/regularizers/sums.h"

namespace asynprox {
namespace {

// About 4 rounds of Newton's method are needed; about 30 where steps are 15 decades apart and one
// coordinate alone has |p_j| nearly 1.
constexpr int kRoundsMax = 200;

// The mu >= 0 with |p(mu)| = 1, p_j = v_j / (a(j) + mu b(j)), where |p(0)| > 1.
template <class Constant, class Slope>
double secular_root(std::span<const double> v, const Constant& a, const Slope& b) {
  double mu = 0, a_largest = 0, b_largest = 0;
  for (std::size_t j = 0; j < v.size(); ++j) {
    mu = std::max(mu, (std::abs(v[j]) - a(j)) / b(j));
    a_largest = std::max(a_largest, a(j));
    b_largest = std::max(b_largest, b(j));
  }
  mu = std::max(mu, (stable_norm(v) - a_largest) / b_largest);
  const auto p = [&](std::size_t j) { return v[j] == 0 ? 0 : v[j] / (a(j) + mu * b(j)); };
  for (int round = 0; round < kRoundsMax; ++round) {
    const double size = stable_norm(v.size(), p);
    const double fall = pairwise_sum(0, v.size(), [&](std::size_t j) {
      return v[j] == 0 ? 0 : p(j) * p(j) * (b(j) / (a(j) + mu * b(j)));
    });
    const double next = mu + (size - 1) * size * size / fall;
    if (!(next > mu)) break;
    mu = next;
  }
  return mu;
}

}  // namespace

void shrink_scaled(std::span<double> v, std::span<const double> etas, double lambda) {
  if (lambda == 0) return;
  const auto threshold = [&](std::size_t j) { return lambda * etas[j]; };
  const double size =
      stable_norm(v.size(), [&](std::size_t j) { return v[j] == 0 ? 0 : v[j] / threshold(j); });
  const bool vanishes = size <= 1;
  const double r = vanishes ? 0 : secular_root(v, threshold, [](std::size_t) { return 1.0; });
  for (std::size_t j = 0; j < v.size(); ++j)
    v[j] = vanishes || v[j] == 0 ? 0 : v[j] * (r / (r + threshold(j)));
}

void project_onto_ball_scaled(std::span<double> v, std::span<const double> etas, double radius) {
  if (within(stable_norm(v), radius)) return;
  const Vector s = relative_steps(etas);
  const double theta =
      secular_root(v, [&](std::size_t) { return radius; }, [&](std::size_t j) { return s[j]; });
  for (std::size_t j = 0; j < v.size(); ++j) v[j] *= radius / (radius + theta * s[j]);
  project_onto_ball(v, radius);  // where rounding left it outside
}

}  // namespace asynprox
