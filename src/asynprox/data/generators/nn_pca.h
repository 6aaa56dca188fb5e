//   z_i = s_i v + noise u_i / sqrt(d)      entrywise non-negative rows around a planted component
//
// v >= 0 has length 1 and about half of its coordinates; s_i is uniform in [0.5, 1.5), u_ij in
// [0, 1). All labels are 1.
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/data/generators/generator.h"

namespace asynprox {

struct NnPcaGenerator {
  static constexpr std::string_view name = "nn-pca";
  static constexpr std::string_view formula = "z_i = s_i v + noise u_i / sqrt(d), all >= 0";
  std::int64_t n = 1000;
  std::int64_t d = 100;
  std::int64_t seed = 1;
  double noise = 0.5;

  static constexpr auto parameters() {
    return std::tuple(
        parameter(&NnPcaGenerator::n, "n", from_to(1, kSamplesMax), "samples"),
        parameter(&NnPcaGenerator::d, "d", from_to(1, kDimensionMax), "features"),
        parameter(&NnPcaGenerator::seed, "seed", from_to(0, kSeedMax), "of everything random"),
        parameter(&NnPcaGenerator::noise, "noise", at_least(0), "beside the planted component"));
  }

  GeneratedRows rows() const;

  // v, for tests and for measuring what was found.
  Vector planted() const;
};
static_assert(Generator<NnPcaGenerator>);

}  // namespace asynprox
