//   y_i = z_i'x + noise e_i        a planted x, zero but in some groups
//
// Feature j belongs to group floor(j / size): groups lie side by side, and the last may be smaller.
// Exactly ceil(support * groups) of them matter, and all of their features do. z_ij, e_i and those
// x_j are near normal numbers of variance 1.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/data/generators/generator.h"

namespace asynprox {

struct GroupsGenerator {
  static constexpr std::string_view name = "groups";
  static constexpr std::string_view formula =
      "y = z'x + noise e, x zero but in some groups of `size` features";
  std::int64_t n = 1000;
  std::int64_t d = 100;
  std::int64_t seed = 1;
  double noise = 0.1;
  double support = 0.2;
  std::int64_t size = 5;

  static constexpr auto parameters() {
    using Self = GroupsGenerator;
    return std::tuple(
        parameter(&Self::n, "n", from_to(1, kSamplesMax), "samples"),
        parameter(&Self::d, "d", from_to(1, kDimensionMax), "features"),
        parameter(&Self::seed, "seed", from_to(0, kSeedMax), "of everything random"),
        parameter(&Self::noise, "noise", at_least(0), "its standard deviation"),
        parameter(&Self::support, "support", {.lower = 0, .upper = 1},
                  "share of the groups that matter"),
        parameter(&Self::size, "size", from_to(1, kDimensionMax), "features per group"));
  }

  GeneratedRows rows() const;

  // x, for tests and for measuring what was found.
  Vector planted() const;
};
static_assert(Generator<GroupsGenerator>);

}  // namespace asynprox
