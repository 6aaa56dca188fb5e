//   h(x) = l1 |x|_1 + group sum_g sqrt(|g|) |x_g|        g: disjoint groups, adjacent or not
//   prox: soft-thresholding by eta * l1, then each group shrinks by eta * group * sqrt(|g|) in
//   length and stops at zero.
//   In a diagonal metric too the threshold, l1 s_j, may come first: z_j is v_j thresholded times
//   r / (r + group sqrt(|g|) s_j), r = |z_g|, so it has the sign of that or is zero, and a
//   subgradient of l1 |.| there is one at z_j
//
// Simon, Friedman, Hastie and Tibshirani (2013), A sparse-group lasso.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/regularizers/groups.h"
#include "asynprox/regularizers/regularizer.h"

namespace asynprox {

struct SparseGroupLasso {
  static constexpr std::string_view name = "sparse-group-lasso";
  static constexpr std::string_view formula = "l1 |x|_1 + group sum_g sqrt(|g|) |x_g|";
  static constexpr bool indicator = false;
  static constexpr Structure structure = Structure::blockwise;
  double l1 = 0;
  double group = 0;

  // As in group-lasso.
  NumbersFile groups = {};
  std::int64_t size = 0;

  GroupIndex index = {};  // made by bind

  static constexpr auto parameters() {
    return std::tuple(parameter(&SparseGroupLasso::l1, "l1", at_least(0), "strength of |x|_1",
                                Presence::required),
                      parameter(&SparseGroupLasso::group, "group", at_least(0),
                                "strength of the groups", Presence::required),
                      file_parameter(&SparseGroupLasso::groups, "groups",
                                     "each coordinate's group, a whole number"),
                      parameter(&SparseGroupLasso::size, "size", at_least(0),
                                "instead of groups: how many coordinates, in order, make a group"));
  }

  void bind(std::size_t dimension);
  double value(std::span<const double> x) const;
  void prox(std::span<double> v, double eta) const;
  void prox_scaled(std::span<double> v, std::span<const double> etas) const;

  std::size_t block_size() const { return static_cast<std::size_t>(size); }

  // 0 where |S(v_g, l1)| <= group sqrt(|g|) in every group, S the soft threshold; else infinity
  double conjugate(std::span<const double> v) const;
  double dual_scale(std::span<const double> v) const;
};
static_assert(JointRegularizer<SparseGroupLasso>);

}  // namespace asynprox
