//   P(y_i = +1) = (1 + t / (1 + |t|)) / 2,   t = z_i'w      a planted w, zero but on its support
//
// Rows look like texts in tf-idf, with the features in the order of their frequency:
//
//   length   1 + x, where P(x > s) falls as 1/s^2 from half the mean to 100 times the mean (or d)
//   columns  zipf: P(j) ~ 2^-k in octave k, where j + 1 is 2^k to 2^(k+1) - 1, which is Zipf's law
//            1/(j + 1) up to a factor of 2 within an octave; or uniform. Distinct in a row.
//   values   c_j (1 + k_j), scaled to |z_i| = 1 and rounded to float: a count c_j = 1, 2, 3, ...
//            that halves in chance each time, and the logarithm of how rare the feature is (for
//            uniform columns k = 0)
//
// The weights of the support are near normal numbers. The curve is logistic in shape, without exp.
// Nothing of size n or d is held.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/data/generators/generator.h"

namespace asynprox {

struct SparseLogisticGenerator {
  static constexpr std::string_view name = "sparse-logistic";
  static constexpr std::string_view formula = "P(y = 1) = (1 + t / (1 + |t|)) / 2, t = z'w";
  static constexpr std::array<std::string_view, 2> column_laws = {"zipf", "uniform"};
  std::int64_t n = 1000;
  std::int64_t d = 100;
  std::int64_t nonzeros = 10;
  std::int64_t seed = 1;
  double support = 0.1;
  std::string columns = "zipf";

  static constexpr auto parameters() {
    using Self = SparseLogisticGenerator;
    return std::tuple(
        parameter(&Self::n, "n", from_to(1, kSamplesMax), "samples"),
        parameter(&Self::d, "d", from_to(1, kDimensionMax), "features"),
        parameter(&Self::nonzeros, "nonzeros", from_to(1, kDimensionMax),
                  "entries per row, on average"),
        parameter(&Self::seed, "seed", from_to(0, kSeedMax), "of everything random"),
        parameter(&Self::support, "support", {.lower = 0, .upper = 1},
                  "share of the features that matter"),
        word_parameter(&Self::columns, "columns", column_laws, "how often a feature occurs"));
  }

  GeneratedRows rows() const;

  // w, for tests and for measuring what was found.
  Vector planted() const;
};
static_assert(Generator<SparseLogisticGenerator>);

}  // namespace asynprox
