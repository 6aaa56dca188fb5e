// What a loss of one output is: F(x; (z, y)) = phi(u, y) with u = z'x.
//
// A loss is a small struct with
//   name, formula      what a user types, and what it means
//   labels             which y it takes
//   convex             phi is convex in u
//   nonnegative        phi >= 0
//   parameters()       see base/parameters.h
//   value(u, y), derivative(u, y)      phi and d phi / du
//
// and, where there is one,
//   curvature          sup |phi''| over u and its labels, so that L_i = curvature |z_i|^2
//   local_curvature(y)                 where there is no curvature: |phi''| at likely u, to choose
//                                      steps by
//   label_least        the least y that has a meaning
//   stationary_at_zero true where phi'(0, y) = 0 for every y and u = 0 is no minimum: gradient
//                      steps never leave x = 0, so that a run begins elsewhere
//   conjugate(theta, y)                phi*(theta) = sup_u theta u - phi(u, y); +inf outside its
//                                      domain, which has every s phi'(u), 0 <= s <= 1
//   second_derivative(derivative, y)   phi'', where phi' tells it
//   of_residual        true where phi depends on u - y alone, so that labels may be shifted together
//                      with an intercept
//
// and, where that is faster,
//   values(u, y, out), derivatives(u, y, out)    the same of whole arrays, to a few ulp
//   values_and_derivatives(u, y, values, derivatives)      both at once, to the same bits
//   conjugates(theta, y, out)                    the same, to 1e-15
//   slope              d phi / du = slope * u, whatever y is: rows then need one pass, not two
//
// With a curvature, values and derivatives are finite for every |u| <= 1e3. Without, they may also
// be +inf there, never a nan: a run then ends as diverged.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>

#include "asynprox/losses/labels.h"

namespace asynprox {

template <class Loss>
concept DescribedLoss = std::default_initializable<Loss> && std::copyable<Loss> && requires {
  { Loss::name } -> std::convertible_to<std::string_view>;
  { Loss::formula } -> std::convertible_to<std::string_view>;
  { Loss::labels } -> std::convertible_to<Labels>;
  { Loss::convex } -> std::convertible_to<bool>;
  { Loss::nonnegative } -> std::convertible_to<bool>;
  Loss::parameters();
};

template <class Loss>
concept ScalarLoss = DescribedLoss<Loss> && requires(const Loss loss, double u, double y) {
  { loss.value(u, y) } -> std::same_as<double>;
  { loss.derivative(u, y) } -> std::same_as<double>;
};

template <class Loss>
concept HasCurvature = requires {
  { Loss::curvature } -> std::convertible_to<double>;
};

template <class Loss>
concept HasLocalCurvature = requires(const Loss loss, double y) {
  { loss.local_curvature(y) } -> std::same_as<double>;
};

template <class Loss>
concept HasLossConjugate =
    requires(const Loss loss, double theta, std::span<const double> thetas, double y) {
      requires requires { loss.conjugate(theta, y); } || requires { loss.conjugate(thetas, y); };
    };

template <class Loss>
concept HasSecondDerivative =
    requires(const Loss loss, double derivative, std::span<const double> derivatives, double y,
             std::span<double> out) {
      requires requires { loss.second_derivative(derivative, y); } ||
                   requires { loss.second_derivative(derivatives, y, out); };
    };

template <class Loss>
constexpr bool is_stationary_at_zero() {
  if constexpr (requires { Loss::stationary_at_zero; })
    return Loss::stationary_at_zero;
  else
    return false;
}

template <class Loss>
concept HasArrays = requires(const Loss loss, std::span<const double> in, std::span<double> out) {
  loss.values(in, in, out);
  loss.derivatives(in, in, out);
};

template <class Loss>
concept HasSlope = requires {
  { Loss::slope } -> std::convertible_to<double>;
};

// out_i = phi(u_i, y_i), and so on: the loss's own array function, or one call a sample.
template <ScalarLoss Loss>
void values_of(const Loss& loss, std::span<const double> u, std::span<const double> y,
               std::span<double> out) {
  if constexpr (HasArrays<Loss>)
    loss.values(u, y, out);
  else
    for (std::size_t i = 0; i < u.size(); ++i) out[i] = loss.value(u[i], y[i]);
}

template <ScalarLoss Loss>
void derivatives_of(const Loss& loss, std::span<const double> u, std::span<const double> y,
                    std::span<double> out) {
  if constexpr (HasArrays<Loss>)
    loss.derivatives(u, y, out);
  else
    for (std::size_t i = 0; i < u.size(); ++i) out[i] = loss.derivative(u[i], y[i]);
}

template <ScalarLoss Loss>
  requires HasLossConjugate<Loss>
void conjugates_of(const Loss& loss, std::span<const double> theta, std::span<const double> y,
                   std::span<double> out) {
  if constexpr (requires { loss.conjugates(theta, y, out); })
    loss.conjugates(theta, y, out);
  else
    for (std::size_t i = 0; i < y.size(); ++i) out[i] = loss.conjugate(theta[i], y[i]);
}

template <ScalarLoss Loss>
  requires HasSecondDerivative<Loss>
void second_derivatives_of(const Loss& loss, std::span<const double> derivatives,
                           std::span<const double> y, std::span<double> out) {
  for (std::size_t i = 0; i < y.size(); ++i) out[i] = loss.second_derivative(derivatives[i], y[i]);
}

}  // namespace asynprox
