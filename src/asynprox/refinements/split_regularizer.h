// h as a sum over units of coordinates that move together in block descent: single coordinates, or,
// for a model of C outputs, the C coefficients of a feature:
//
//   h(x) = sum_j h_j(x_j)      or      h(x) = sum_rows h_row(x_j1, ..., x_jC)
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "asynprox/linalg/vectors.h"
#include "asynprox/problem/problem.h"

namespace asynprox {

class SplitRegularizer {
 public:
  // Borrows the problem's h.
  explicit SplitRegularizer(const Problem& problem)
      : h_(problem.h),
        seen_(problem.f.dimension() - problem.f.num_free()),
        row_(h_.separable() ? std::nullopt : h_.per_block(problem.f.outputs())),
        unit_(row_ ? problem.f.outputs() : 1) {}

  static bool possible(const Problem& problem) {
    return problem.h.separable() || problem.h.per_block(problem.f.outputs());
  }

  // Coordinates of a unit, side by side; those that h does not see have units of their own.
  std::size_t unit() const { return unit_; }
  std::size_t unit_at(Key key) const { return sees(key) ? unit_ : 1; }
  bool sees(Key key) const { return key < seen_; }

  // Of the units whose coordinates these are, in order.
  double value(std::span<const Key> keys, std::span<const double> x) const;
  // In place, with a step for each coordinate.
  void prox(std::span<const Key> keys, std::span<double> v, std::span<const double> etas) const;

 private:
  const AnyRegularizer& h_;
  std::size_t seen_;
  std::optional<AnyRegularizer> row_;
  std::size_t unit_;
};

}  // namespace asynprox
