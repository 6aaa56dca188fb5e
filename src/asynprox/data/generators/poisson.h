//   y_i ~ Poisson(exp(t_i)),   t_i = z_i'x cut to [-3, 3]      a planted x, zero but on its support
//
// z_ij and, up to a factor, the x_j of the support are near normal numbers; |x| = 1, so that t has
// variance 1 and counts are about 1.6 in the mean. Exactly ceil(support * d) features matter.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/data/generators/generator.h"

namespace asynprox {

struct PoissonGenerator {
  static constexpr std::string_view name = "poisson";
  static constexpr std::string_view formula = "y ~ Poisson(exp(z'x)), x sparse, |x| = 1";
  std::int64_t n = 1000;
  std::int64_t d = 100;
  std::int64_t seed = 1;
  double support = 0.1;

  static constexpr auto parameters() {
    using Self = PoissonGenerator;
    return std::tuple(parameter(&Self::n, "n", from_to(1, kSamplesMax), "samples"),
                      parameter(&Self::d, "d", from_to(1, kDimensionMax), "features"),
                      parameter(&Self::seed, "seed", from_to(0, kSeedMax), "of everything random"),
                      parameter(&Self::support, "support", {.lower = 0, .upper = 1},
                                "share of the features that matter"));
  }

  GeneratedRows rows() const;

  // x, for tests and for measuring what was found.
  Vector planted() const;
};
static_assert(Generator<PoissonGenerator>);

}  // namespace asynprox
