// What a loss of one output is: F(x; (z, y)) = phi(u, y) with u = z'x.
//
// A loss is a small struct with
//   name, formula      what a user types, and what it means
//   labels             which y it takes
//   convex             phi is convex in u
//   nonnegative        phi >= 0
//   parameters()       see base/parameters.h
//   value(u, y), derivative(u, y)      phi and d phi / du: finite for every |u| <= 1e3
//
// and, where there is one,
//   curvature          sup |phi''| over u and its labels, so that L_i = curvature |z_i|^2
//
// and, where that is faster,
//   values(u, y, out), derivatives(u, y, out)    the same of whole arrays, to a few ulp
//   slope              d phi / du = slope * u, whatever y is: rows then need one pass, not two
#pragma once

#include <concepts>
#include <span>
#include <string_view>

namespace asynprox {

enum class Labels {
  none,     // y is not looked at
  signs,    // y is -1 or +1
  number,   // any real y
  classes,  // y is the number of a class: 0, ..., C - 1
};

template <class Loss>
concept ScalarLoss = std::default_initializable<Loss> && std::copyable<Loss> &&
                     requires(const Loss loss, double u, double y) {
                       { Loss::name } -> std::convertible_to<std::string_view>;
                       { Loss::formula } -> std::convertible_to<std::string_view>;
                       { Loss::labels } -> std::convertible_to<Labels>;
                       { Loss::convex } -> std::convertible_to<bool>;
                       { Loss::nonnegative } -> std::convertible_to<bool>;
                       Loss::parameters();
                       { loss.value(u, y) } -> std::same_as<double>;
                       { loss.derivative(u, y) } -> std::same_as<double>;
                     };

template <class Loss>
concept HasCurvature = requires {
  { Loss::curvature } -> std::convertible_to<double>;
};

template <class Loss>
concept HasArrays = requires(const Loss loss, std::span<const double> in, std::span<double> out) {
  loss.values(in, in, out);
  loss.derivatives(in, in, out);
};

template <class Loss>
concept HasSlope = requires {
  { Loss::slope } -> std::convertible_to<double>;
};

}  // namespace asynprox
