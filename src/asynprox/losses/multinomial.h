//   phi(u, y) = log(sum_c exp(u_c)) - u_y,  y = 0 to C - 1         several classes, an output each
#pragma once

#include <span>
#include <string_view>
#include <tuple>

#include "asynprox/losses/vector_loss.h"

namespace asynprox {

struct MultinomialLoss {
  static constexpr std::string_view name = "multinomial";
  static constexpr std::string_view formula = "log(sum_c exp(u_c)) - u_y";
  static constexpr Labels labels = Labels::classes;
  static constexpr bool convex = true;
  static constexpr bool nonnegative = true;
  // The Hessian diag(p) - p p' has v'Hv = variance of v_c under p, at most (max v - min v)^2 / 4,
  // which is at most |v|^2 / 2.
  static constexpr double curvature = 0.5;
  static constexpr bool class_curvature = true;       // the Hessian is that, p the derivative + e_y
  static constexpr bool ignores_common_shift = true;  // to add the same to each u_c changes nothing

  static constexpr auto parameters() { return std::tuple(); }

  // These throw ContractError where y is not the number of an output.
  double value(std::span<const double> u, double y) const;
  // p_c = exp(u_c) / sum_k exp(u_k), less 1 for the class y.
  void derivative(std::span<const double> u, double y, std::span<double> out) const;
  // sum_c q_c log q_c with q = theta, and 1 more for the class y, where q >= 0 and sum_c q_c = 1:
  // both to rounding.
  double conjugate(std::span<const double> theta, double y) const;
  // diag(p) - p p'
  void second_derivative(std::span<const double> derivative, double y, std::span<double> out) const;

  // The same of whole arrays, to a few units in the last place; the same bits at every level of
  // vector instructions. `out` of the derivatives may be u.
  void values(std::span<const double> u, std::span<const double> y, std::span<double> out) const;
  void derivatives(std::span<const double> u, std::span<const double> y,
                   std::span<double> out) const;
  // Both for little more than one of them, to the same bits; `derivatives` has a place of its own.
  void values_and_derivatives(std::span<const double> u, std::span<const double> y,
                              std::span<double> values, std::span<double> derivatives) const;
};
static_assert(VectorLoss<MultinomialLoss> && HasArrays<MultinomialLoss> &&
              HasSecondDerivative<MultinomialLoss>);

}  // namespace asynprox
