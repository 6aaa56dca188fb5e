//   y_i = z_i'x + noise e_i        a planted x, zero but in some groups
//
// Feature j belongs to group floor(j / size): groups lie side by side, and the last may be smaller.
// Exactly ceil(support * groups) of them matter, and all of their features do. z_ij, e_i and those
// x_j are near normal numbers of variance 1.
#pragma once

#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/data/generators/generator.h"

namespace asynprox {

struct GroupsGenerator {
  static constexpr std::string_view name = "groups";
  static constexpr std::string_view formula =
      "y = z'x + noise e, x zero but in some groups of `size` features";
  double n = 1000;
  double d = 100;
  double seed = 1;
  double noise = 0.1;
  double support = 0.2;
  double size = 5;

  static constexpr auto parameters() {
    using Self = GroupsGenerator;
    return std::tuple(parameter(&Self::n, "n", at_least(1), "samples"),
                      parameter(&Self::d, "d", at_least(1), "features"),
                      parameter(&Self::seed, "seed", at_least(0), "of everything random"),
                      parameter(&Self::noise, "noise", at_least(0), "its standard deviation"),
                      parameter(&Self::support, "support", {.lower = 0, .upper = 1},
                                "share of the groups that matter"),
                      parameter(&Self::size, "size", at_least(1), "features a group"));
  }

  GeneratedRows rows() const;

  // x, for tests and for measuring what was found.
  Vector planted() const;
};
static_assert(Generator<GroupsGenerator>);

}  // namespace asynprox
