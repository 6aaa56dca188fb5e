// What a loss of several outputs is: F(x; (z, y)) = phi(u, y) with u_c = z'x_c, c = 0 to C - 1.
//
// A loss is a small struct as in scalar_loss.h, where u is now C numbers:
//   value(u, y)                        phi
//   derivative(u, y, out)              out_c = d phi / du_c; out may be u
//
// and, where there is one,
//   curvature                          a bound on the norm of phi's Hessian in u
//   conjugate(theta, y)                phi*(theta) = sup_u theta'u - phi(u, y)
//   ignores_common_shift               phi(u + t 1, y) = phi(u, y) for every t
//   class_curvature                    that Hessian is diag(p) - p p', p the derivative + e_y
//   second_derivative(derivative, y, out)   phi's Hessian in u, C x C, where its derivative tells it
//
// and, where that is faster, values(u, y, out) and derivatives(u, y, out) of whole arrays: y has n
// numbers, u has n C, sample by sample.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>

#include "asynprox/losses/scalar_loss.h"

namespace asynprox {

template <class Loss>
concept VectorLoss = DescribedLoss<Loss> && requires(const Loss loss, std::span<const double> u,
                                                     double y, std::span<double> out) {
  { loss.value(u, y) } -> std::same_as<double>;
  loss.derivative(u, y, out);
};

// u_i of n samples, where u has them side by side.
inline auto outputs_of(std::size_t sample, std::size_t num_samples, auto u) {
  const std::size_t num_outputs = u.size() / num_samples;
  return u.subspan(sample * num_outputs, num_outputs);
}

template <VectorLoss Loss>
void values_of(const Loss& loss, std::span<const double> u, std::span<const double> y,
               std::span<double> out) {
  if constexpr (HasArrays<Loss>)
    loss.values(u, y, out);
  else
    for (std::size_t i = 0; i < y.size(); ++i)
      out[i] = loss.value(outputs_of(i, y.size(), u), y[i]);
}

template <VectorLoss Loss>
void derivatives_of(const Loss& loss, std::span<const double> u, std::span<const double> y,
                    std::span<double> out) {
  if constexpr (HasArrays<Loss>)
    loss.derivatives(u, y, out);
  else
    for (std::size_t i = 0; i < y.size(); ++i)
      loss.derivative(outputs_of(i, y.size(), u), y[i], outputs_of(i, y.size(), out));
}

template <VectorLoss Loss>
  requires HasLossConjugate<Loss>
void conjugates_of(const Loss& loss, std::span<const double> theta, std::span<const double> y,
                   std::span<double> out) {
  for (std::size_t i = 0; i < y.size(); ++i)
    out[i] = loss.conjugate(outputs_of(i, y.size(), theta), y[i]);
}

template <VectorLoss Loss>
  requires HasSecondDerivative<Loss>
void second_derivatives_of(const Loss& loss, std::span<const double> derivatives,
                           std::span<const double> y, std::span<double> out) {
  for (std::size_t i = 0; i < y.size(); ++i)
    loss.second_derivative(outputs_of(i, y.size(), derivatives), y[i],
                           outputs_of(i, y.size(), out));
}

}  // namespace asynprox
