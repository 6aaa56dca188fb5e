//   P(y_i = +1) = (1 + t / (1 + |t|)) / 2,   t = z_i'w      a planted w, zero but on its support
//
// A row has nonzeros entries on average (1 to 2 nonzeros - 1, or fewer, to stay below d), at
// columns drawn uniformly; they and the support's weights are near normal numbers. The curve is
// logistic in shape, without exp.
#pragma once

#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/data/generators/generator.h"

namespace asynprox {

struct SparseLogisticGenerator {
  static constexpr std::string_view name = "sparse-logistic";
  static constexpr std::string_view formula = "P(y = 1) = (1 + t / (1 + |t|)) / 2, t = z'w";
  double n = 1000;
  double d = 100;
  double nonzeros = 10;
  double seed = 1;
  double support = 0.1;

  static constexpr auto parameters() {
    using Self = SparseLogisticGenerator;
    return std::tuple(
        parameter(&Self::n, "n", at_least(1), "samples"),
        parameter(&Self::d, "d", at_least(1), "features"),
        parameter(&Self::nonzeros, "nonzeros", at_least(1), "entries a row, on average"),
        parameter(&Self::seed, "seed", at_least(0), "of everything random"),
        parameter(&Self::support, "support", {.lower = 0, .upper = 1},
                  "share of the features that matter"));
  }

  LabelledRows generate() const;

  // w, for tests and for measuring what was found.
  Vector planted() const;
};
static_assert(Generator<SparseLogisticGenerator>);

}  // namespace asynprox
