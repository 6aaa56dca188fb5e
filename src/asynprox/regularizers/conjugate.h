// The conjugate h*(v) = sup_x <v, x> - h(x) of a member, from what it declares (regularizer.h).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <tuple>

#include "asynprox/regularizers/regularizer.h"
#include "asynprox/regularizers/sets.h"

namespace asynprox {

template <class R>
concept HasZeroStrength = requires(const R h, double v, std::size_t j) { h.zero_strength(v, j); } ||
                          requires(const R h, std::span<const double> v) { h.zero_strength(v); };

template <class R>
concept StatesConjugate = requires(const R h, double v, std::size_t j) { h.conjugate(v, j); } ||
                          requires(const R h, std::span<const double> v) { h.conjugate(v); };

template <class R>
concept HasConjugate = HasZeroStrength<R> || StatesConjugate<R>;

// The first parameter, which zero_strength speaks of.
template <HasZeroStrength R>
double main_strength(const R& h) {
  return h.*std::get<0>(R::parameters()).field;
}

template <HasZeroStrength R>
double zero_strength_of(const R& h, std::span<const double> v) {
  if constexpr (SeparableRegularizer<R>) {
    double largest = 0;
    for (std::size_t j = 0; j < v.size(); ++j)
      largest = std::max(largest, h.zero_strength(v[j], j));
    return largest;
  } else {
    return h.zero_strength(v);
  }
}

// The largest s in [0, 1] with h*(s v) = 0.
template <HasZeroStrength R>
double zero_scale_of(const R& h, std::span<const double> v) {
  const double needed = zero_strength_of(h, v), strength = main_strength(h);
  return needed <= strength ? 1 : strength / needed;
}

template <HasConjugate R>
double conjugate_of(const R& h, std::span<const double> v) {
  if constexpr (!StatesConjugate<R>) {
    return indicator_value(within(zero_strength_of(h, v), main_strength(h)));
  } else if constexpr (SeparableRegularizer<R>) {
    double sum = 0;
    for (std::size_t j = 0; j < v.size(); ++j) sum += h.conjugate(v[j], j);
    return sum;
  } else {
    return h.conjugate(v);
  }
}

template <HasConjugate R>
double dual_scale_of(const R& h, std::span<const double> v) {
  if constexpr (!StatesConjugate<R>) {
    return zero_scale_of(h, v);
  } else if constexpr (requires { h.dual_scale(1.0, v.size()); }) {
    double least = 1;
    for (std::size_t j = 0; j < v.size(); ++j) least = std::min(least, h.dual_scale(v[j], j));
    return least;
  } else if constexpr (requires { h.dual_scale(v); }) {
    return h.dual_scale(v);
  } else {
    return std::isfinite(conjugate_of(h, v)) ? 1 : 0;
  }
}

}  // namespace asynprox
