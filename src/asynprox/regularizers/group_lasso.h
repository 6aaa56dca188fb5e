//   h(x) = lambda sum_g sqrt(|g|) |x_g|         g: disjoint groups of coordinates, adjacent or not
//   prox: each group shrinks towards zero by eta * lambda * sqrt(|g|) in length and stops there; in
//   a diagonal metric as l2-norm does
//
// Yuan and Lin (2006), Model selection and estimation in regression with grouped variables.
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

struct GroupLasso {
  static constexpr std::string_view name = "group-lasso";
  static constexpr std::string_view formula = "lambda sum_g sqrt(|g|) |x_g|";
  static constexpr bool indicator = false;
  static constexpr Structure structure = Structure::blockwise;
  double lambda = 0;

  // Exactly one of these two: each coordinate's group, or the size of groups of coordinates in
  // order, of which the last may be smaller.
  NumbersFile groups = {};
  std::int64_t size = 0;

  GroupIndex index = {};  // made by bind

  static constexpr auto parameters() {
    return std::tuple(
        parameter(&GroupLasso::lambda, "lambda", at_least(0), "strength", Presence::required),
        file_parameter(&GroupLasso::groups, "groups", "each coordinate's group, a whole number"),
        parameter(&GroupLasso::size, "size", at_least(0),
                  "instead of groups: how many coordinates, in order, make a group"));
  }

  void bind(std::size_t dimension);
  double value(std::span<const double> x) const;
  void prox(std::span<double> v, double eta) const;
  std::size_t block_size() const { return static_cast<std::size_t>(size); }
  void prox_scaled(std::span<double> v, std::span<const double> etas) const;

  // max_g |v_g| / sqrt(|g|)
  double zero_strength(std::span<const double> v) const;
};
static_assert(JointRegularizer<GroupLasso>);

}  // namespace asynprox
