//   h(x) = lambda |X|_*, the sum of the singular values of X, which is x read row by row as a
//   matrix with `columns` columns: few of them, that is low rank
//   prox: each singular value moves down by eta * lambda and stops at zero
//
// A model with several outputs is such a matrix: a row a feature, a column an output. A prox costs
// O(r c min(r, c)) for r rows and c columns.
//
// Cai, Candes and Shen (2010), A singular value thresholding algorithm for matrix completion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>

#include "asynprox/base/parameters.h"
#include "asynprox/regularizers/regularizer.h"

namespace asynprox {

struct Nuclear {
  static constexpr std::string_view name = "nuclear";
  static constexpr std::string_view formula = "lambda (sum of the singular values of X)";
  static constexpr bool indicator = false;
  static constexpr Structure structure = Structure::global;
  double lambda = 0;
  std::int64_t columns = 0;

  static constexpr auto parameters() {
    return std::tuple(
        parameter(&Nuclear::lambda, "lambda", at_least(0), "strength", Presence::required),
        parameter(&Nuclear::columns, "columns", at_least(0),
                  "of X, which x holds row by row; needed but for a matrix of ratings, which has "
                  "one per item"));
  }

  // Checks that `columns` divides the dimension.
  void bind(std::size_t dimension) const;
  double value(std::span<const double> x) const;
  void prox(std::span<double> v, double eta) const;

  // The largest singular value
  double zero_strength(std::span<const double> v) const;
};
static_assert(JointRegularizer<Nuclear>);

}  // namespace asynprox
