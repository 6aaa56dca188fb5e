// f(x) = (1/n) sum_i F(x; xi_i): what the workers differentiate. The server never knows what f is.
//
// A user's own f is a class with
//
//   dimension(), num_samples()             d and n
//   value(x, samples)                      sum of F(x; xi_i) over the samples listed
//   add_gradient(x, samples, weights, g)   g += sum of weights_i grad F(x; xi_i); no weights: 1
//
// and, where it can,
//
//   value_and_gradient(x, samples, g)      both at once: adds to g, returns the value
//   add_keys(samples, keys)                the coordinates these gradients touch and read
//   mean_keys()                            how many that are for one sample, on average
//   has_keys()                             false: they are all of them after all, and mean_keys()
//                                          is only what a sample costs
//   localize(samples, keys, batch)         add_keys, and what else is wanted of a batch later
//   add_local_gradient(batch, x, samples, weights, g)
//                                          add_gradient, where x and g have the batch's keys only
//   scalars(x, samples, c)                 grad F(x; xi_i) as C = outputs() numbers c_i a sample,
//   scatter(samples, c, g)                 from which scatter makes it: g += sum of c_i' A_i. What
//                                          is linear in c can be remembered by c alone
//   local_scalars(batch, x, samples, c)    scalars, where x has the batch's keys only
//   local_scatter(batch, samples, c, g)    scatter, where g has the batch's keys only
//   outputs_at(x, samples, u)              C outputs a sample, linear in x, F a function of them
//   value_of_outputs(samples, u)           the sum of F there
//   scalars_of_outputs(samples, u, c)      what scalars gives there; c may be u
//   curvatures_of_scalars(samples, c, out) F'' in the outputs, where the scalars are c: C x C
//                                          numbers per sample; false: these do not tell
//   value_and_gradient(x, samples, g, u, c)   as above, and leaves the outputs and the scalars
//   lipschitz()                            L of f: a bound that always holds
//   sample_lipschitz()                     L_i of each F(.; xi_i); may be an optional
//   curvature_diagonal()                   about the diagonal of the mean of B_i below; an optional
//   ignores_common_shift()                 to add the same number to all C outputs of a sample
//                                          changes no F (false)
//   centered_scatter(samples, c, means, g) scatter, where means are taken from the entries of the
//                                          columns first: g += sum of c_i' (A_i - means)
//   column_moments()                       where outputs are linear in x: means and mean squares of
//                                          the columns, by curvature; an optional
//   gram(samples, weights, keys)           where outputs are A_i x: the sum of A_i' W_i A_i at these
//                                          coordinates, which rise; W_i is symmetric, C x C numbers
//                                          per sample in `weights`
//   has_gram()                             false: there is none after all, or C > 1 and F'' is not
//                                          known
//   scaled_sample_lipschitz(scales)        L_i in coordinates sqrt(scales_j) times longer; the same
//   add_curvature(v, samples, out)         out += sum of B_i v, B_i a bound on F's Hessians
//   has_curvature()                        false: there is no such bound after all
//   squared_gradient_norms(x, samples)     sum of |grad F(x; xi_i)|^2
//   convex()                               every F(.; xi_i) is convex (false where unknown)
//   nonnegative()                          F >= 0
//   has_conjugate()                        F = w phi(u, y) of outputs u that are linear in x, and
//                                          phi's conjugate phi* is known
//   conjugate_sum(samples, u, s)           sum of w phi*(s phi'(u, y), y)
//   best_intercept(x)                      x with the intercepts that minimise f, the rest as it
//                                          is; empty where there are none
//   outputs()                              C: coordinates come in C a feature, side by side (1)
//   num_free()                             so many coordinates at the end are intercepts, which h
//                                          does not see (0)
//   start(seed)                            where to begin, where zeros are no good (a saddle)
//   curvature_is_local()                   true: lipschitz(), sample_lipschitz() and
//                                          add_curvature() tell of where runs go, enough to choose
//                                          steps by, and bound nothing
//
// All are const and safe to call from several threads.
#pragma once

#include <concepts>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "asynprox/linalg/for_samples.h"
#include "asynprox/linalg/key_set.h"
#include "asynprox/linalg/local_rows.h"
#include "asynprox/linalg/vectors.h"

namespace asynprox {

// 0, 1, ..., count - 1
inline std::vector<SampleIndex> all_samples(std::size_t count) {
  std::vector<SampleIndex> samples(count);
  std::iota(samples.begin(), samples.end(), SampleIndex{0});
  return samples;
}

template <class F>
concept FiniteSum = requires(const F f, std::span<const double> x, Samples samples,
                             std::span<const double> weights, std::span<double> g) {
  { f.dimension() } -> std::convertible_to<std::size_t>;
  { f.num_samples() } -> std::convertible_to<std::size_t>;
  { f.value(x, samples) } -> std::convertible_to<double>;
  f.add_gradient(x, samples, weights, g);
};

template <class F>
concept HasKeys = requires(const F f, Samples samples, KeySet& keys) {
  f.add_keys(samples, keys);
  { f.mean_keys() } -> std::convertible_to<double>;
};

template <class F>
concept HasLocalGradient =
    HasKeys<F> && requires(const F f, std::span<const double> x, Samples samples, KeySet& keys,
                           LocalRows& batch, std::span<double> g) {
      f.localize(samples, keys, batch);
      f.add_local_gradient(batch, x, samples, x, g);
    };

template <class F>
concept HasScalars = requires(const F f, std::span<const double> x, Samples samples,
                              std::span<double> c, std::span<double> g) {
  f.scalars(x, samples, c);
  f.scatter(samples, c, g);
};

template <class F>
concept HasOutputs = HasScalars<F> && requires(const F f, std::span<const double> x,
                                               Samples samples, std::span<double> u) {
  f.outputs_at(x, samples, u);
  { f.value_of_outputs(samples, u) } -> std::convertible_to<double>;
  f.scalars_of_outputs(samples, u, u);
};

}  // namespace asynprox
