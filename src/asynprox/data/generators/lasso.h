//   y_i = z_i'x + noise e_i        a planted x, zero but on its support
//
// z_ij, e_i and the x_j of the support are near normal numbers of variance 1. Exactly
// ceil(support * d) features matter.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/data/generators/generator.h"

namespace asynprox {

struct LassoGenerator {
  static constexpr std::string_view name = "lasso";
  static constexpr std::string_view formula = "y = z'x + noise e, x sparse";
  std::int64_t n = 1000;
  std::int64_t d = 100;
  std::int64_t seed = 1;
  double noise = 0.1;
  double support = 0.1;

  static constexpr auto parameters() {
    using Self = LassoGenerator;
    return std::tuple(parameter(&Self::n, "n", from_to(1, kSamplesMax), "samples"),
                      parameter(&Self::d, "d", from_to(1, kDimensionMax), "features"),
                      parameter(&Self::seed, "seed", from_to(0, kSeedMax), "of everything random"),
                      parameter(&Self::noise, "noise", at_least(0), "its standard deviation"),
                      parameter(&Self::support, "support", {.lower = 0, .upper = 1},
                                "share of the features that matter"));
  }

  GeneratedRows rows() const;

  // x, for tests and for measuring what was found.
  Vector planted() const;
};
static_assert(Generator<LassoGenerator>);

}  // namespace asynprox
