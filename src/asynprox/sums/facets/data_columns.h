// The facet of a linear predictor that knows the columns of its data, a_ij: entry j of sample i, 1
// for an intercept. Where columns are far from 0, their means are taken from the entries before
// anything is summed, so that no digits are lost.
#pragma once

#include <concepts>
#include <memory>
#include <span>

#include "asynprox/linalg/for_samples.h"
#include "asynprox/sums/column_moments.h"

namespace asynprox {

class DataColumns {
 public:
  virtual ~DataColumns() = default;

  // Means, mean squares and variances, weighted by the curvatures of the samples.
  virtual ColumnMoments moments() const = 0;

  // g_j += sum_i c_i (a_ij - means_j): the scatter() of factored_gradient.h, of centred columns.
  virtual void centered_scatter(Samples samples, std::span<const double> c,
                                std::span<const double> means, std::span<double> g) const = 0;
};

// F offers it by these two members.
template <class F>
concept OffersDataColumns =
    requires(const F f, Samples samples, std::span<const double> c, std::span<double> g) {
      { f.column_moments() } -> std::convertible_to<ColumnMoments>;
      f.centered_scatter(samples, c, c, g);
    };

template <class F>
concept MentionsDataColumns =
    requires { &F::column_moments; } || requires { &F::centered_scatter; };

// Null where F does not offer it. Borrows f.
template <class F>
std::unique_ptr<const DataColumns> data_columns_of([[maybe_unused]] const F& f) {
  static_assert(OffersDataColumns<F> || !MentionsDataColumns<F>,
                "this f has some of the facet DataColumns but not all: expected column_moments() "
                "const, a ColumnMoments, and centered_scatter(samples, c, means, g) const");
  if constexpr (OffersDataColumns<F>) {
    struct Facet final : DataColumns {
      explicit Facet(const F& borrowed) : f(borrowed) {}
      ColumnMoments moments() const override { return f.column_moments(); }
      void centered_scatter(Samples samples, std::span<const double> c,
                            std::span<const double> means, std::span<double> g) const override {
        f.centered_scatter(samples, c, means, g);
      }
      const F& f;
    };
    return std::make_unique<const Facet>(f);
  } else {
    return nullptr;
  }
}

}  // namespace asynprox
