#include "asynprox/certificates/lower_bound.h"

namespace asynprox {

std::optional<LowerBound> lower_bound(const Problem& problem, std::optional<double> lipschitz) {
  std::optional<LowerBound> bound;
  if (problem.f.nonnegative()) bound = {0, "Psi* >= 0, as no loss and no h is negative"};
  const std::optional<double> r = problem.h.norm_max();
  if (!r || !lipschitz) return bound;
  Vector gradient;
  const Vector zero(problem.f.dimension(), 0);
  const double value = value_and_gradient(problem.f, zero, gradient);
  const double lowest = value - norm(gradient) * *r - *lipschitz * *r * *r / 2;
  if (!bound || lowest > bound->value)
    bound = {lowest, "Psi* >= f(0) - |grad f(0)| r - L r^2 / 2, as h keeps |x| <= r"};
  return bound;
}

}  // namespace asynprox
