// f(x) = (1/n) sum_i F(x; xi_i): what the workers differentiate. The server never knows what f is.
//
// A user's own f is a class with a core of four members:
//
//   dimension(), num_samples()             d and n
//   value(x, samples)                      sum of F(x; xi_i) over the samples listed
//   add_gradient(x, samples, weights, g)   g += sum of weights_i grad F(x; xi_i); no weights: 1
//
// value may be absent, where gradients are all there is. Runs then have no objective: they report
// the gradient mapping, and what compares objectives (Newton's method, span search, steps judged by
// evaluations, the fallback) is off.
//
// What else f can do is offered in facets, each a header of its own with the members that make it,
// and each null where f does not offer it (any_finite_sum.h). Some of the members of a facet without
// the others do not compile.
//
//   facets/factored_gradient.h  f.factored()   gradients as C numbers per sample: SAGA's memory
//   facets/linear_predictor.h   f.linear()     F as a function of outputs that are linear in x
//   facets/data_columns.h       f.columns()    moments of the columns of the data
//   facets/weighted_gram.h      f.gram()       Gram matrices: Hessians for Newton's method
//   facets/stored_columns.h     f.stored_columns()       columns, for coordinate descent
//   facets/class_curvature.h    f.class_curvature()      probabilities: second derivatives of classes
//   facets/sparse_gradient.h    f.sparse()     the coordinates that samples touch: lazy models
//   facets/local_gradient.h     f.local()      gradients at these coordinates alone
//   facets/curvature.h          f.curvature()  Lipschitz constants, the diagonal of the Hessian
//                               f.curvature_products()   products with a bound on the Hessian
//   facets/dual_loss.h          f.dual()       conjugates: duality gaps
//
// Properties that f may have as members of these names, with their defaults:
//
//   convex()                 every F(.; xi_i) is convex (false: not known)
//   nonnegative()            F >= 0 (false: not known)
//   outputs()                C: coordinates come in C per feature, side by side (1)
//   num_free()               so many coordinates at the end are intercepts, which h does not see (0)
//   mean_keys()              coordinates that a sample's gradient reads, on average: its cost (d)
//   start(seed)              where to begin, if zeros are a saddle (zeros)
//   best_intercept(x)        x with the intercepts that minimise f, an optional (none known)
//
// and faster forms of what else is made of the core:
//
//   value_and_gradient(x, samples, g)      both at once: adds to g, returns the value
//   squared_gradient_norms(x, samples)     sum of |grad F(x; xi_i)|^2
//
// All are const and safe to call from several threads.
#pragma once

#include <concepts>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "asynprox/linalg/for_samples.h"

namespace asynprox {

// 0, 1, ..., count - 1
inline std::vector<SampleIndex> all_samples(std::size_t count) {
  std::vector<SampleIndex> samples(count);
  std::iota(samples.begin(), samples.end(), SampleIndex{0});
  return samples;
}

// The core but for its value.
template <class F>
concept FiniteSum = requires(const F f, std::span<const double> x, Samples samples,
                             std::span<const double> weights, std::span<double> g) {
  { f.dimension() } -> std::convertible_to<std::size_t>;
  { f.num_samples() } -> std::convertible_to<std::size_t>;
  f.add_gradient(x, samples, weights, g);
};

template <class F>
concept HasValue = requires(const F f, std::span<const double> x, Samples samples) {
  { f.value(x, samples) } -> std::convertible_to<double>;
};

}  // namespace asynprox
