// What a regulariser is: a convex h, known by its value and its prox,
//
//   prox_{eta h}(v) = argmin_y { h(y) + |y - v|^2 / (2 eta) }
//
// A step eta = 0 leaves v as it is where h(v) is finite, and projects onto the set where h is
// finite elsewhere; an indicator projects at every eta. Huge entries and steps give no nan, but a
// nan in v comes out as one.
//
// A separable one, h(x) = sum_j h_j(x_j), is a small struct with
//   name, formula, parameters()        see base/family.h
//   indicator                          h takes only the values 0 and infinity: its prox projects
//   value(x_j, j)                      h_j(x_j); infinite outside the set
//   prox(v_j, eta, j)                  one coordinate's prox, eta >= 0
//   lazy_time(eta)                     how far a step eta moves an untouched coordinate's clock
//   prox_after(x_j, time, j)           all the proxes of steps whose lazy times sum to `time`,
//                                      applied to a coordinate without a gradient, at once
// Any other is a struct with name, formula, parameters(), indicator, and
//   structure                          Structure::blockwise or Structure::global
//   value(x), prox(x, eta)             of the whole vector; prox works in place
// Either may have
//   bind(dimension)                    called once before use: checks and prepares parameters whose
//                                      size depends on the number of coordinates
//   norm_max()                         |x| is at most this wherever h is finite
//   prox_scaled(v, etas)               in place: the prox in a diagonal metric, with a step s_j of
//                                      its own for each coordinate, positive and finite. Separable
//                                      ones have it without saying so. Steps may be decades apart
//
//     argmin_y { h(y) + sum_j (y_j - v_j)^2 / (2 s_j) }
//
//   block_size()                       how many coordinates in order make a group, where all groups
//                                      are such and alike; 0 where they are not
//
// and, where it is known, the conjugate h*(v) = sup_x <v, x> - h(x), which is what bounds on the
// distance to the optimum are made of (conjugate.h), in one or both of these ways:
//   zero_strength(v)                   the least value of its first parameter at which x = 0
//                                      minimises h(x) - <v, x>, that is h*(v) = 0. Enough where
//                                      h(x) is that parameter times a function that is
//                                      homogeneous: h* is then infinite beyond
//   conjugate(v)                       h*(v), maybe infinite
//   dual_scale(v)                      the largest s in [0, 1] with h*(s v) finite; without it, 1
//                                      where h*(v) is finite and 0 elsewhere
// of the whole vector, or for a separable one of one coordinate: zero_strength(v_j, j) and so on.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>

namespace asynprox {

enum class Structure { separable, blockwise, global };

template <class R>
concept NamedRegularizer = std::default_initializable<R> && std::copyable<R> && requires {
  { R::name } -> std::convertible_to<std::string_view>;
  { R::formula } -> std::convertible_to<std::string_view>;
  { R::indicator } -> std::convertible_to<bool>;
  R::parameters();
};

template <class R>
concept SeparableRegularizer =
    NamedRegularizer<R> && requires(const R h, double v, double eta, std::size_t j) {
      { h.value(v, j) } -> std::same_as<double>;
      { h.prox(v, eta, j) } -> std::same_as<double>;
      { h.lazy_time(eta) } -> std::same_as<double>;
      { h.prox_after(v, eta, j) } -> std::same_as<double>;
    };

template <class R>
concept JointRegularizer =
    NamedRegularizer<R> && requires(const R h, std::span<const double> x, std::span<double> v) {
      { R::structure } -> std::convertible_to<Structure>;
      { h.value(x) } -> std::same_as<double>;
      h.prox(v, /*eta=*/1.0);
    };

template <class R>
concept StatesScaledProx = requires(const R h, std::span<double> v, std::span<const double> etas) {
  h.prox_scaled(v, etas);
};

template <class R>
concept HasScaledProx = SeparableRegularizer<R> || StatesScaledProx<R>;

template <class R>
concept HasBlocks = StatesScaledProx<R> && requires(const R h) {
  { h.block_size() } -> std::same_as<std::size_t>;
};

template <class R>
concept Regularizer = SeparableRegularizer<R> || JointRegularizer<R>;

}  // namespace asynprox
