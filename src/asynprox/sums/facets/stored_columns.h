// The facet of a linear predictor that can show the columns of its data, one per feature, as few
// stored entries each: for coordinate descent.
//
//   a_ij = stored_ij - offsets_j       0 where nothing is stored for row i
#pragma once

#include <concepts>
#include <memory>
#include <span>
#include <vector>

#include "asynprox/linalg/sparse_columns.h"

namespace asynprox {

class StoredColumns {
 public:
  virtual ~StoredColumns() = default;

  // How many entries are stored of each. A pass over the data.
  virtual std::vector<std::uint32_t> lengths() const = 0;

  // Those of these features, which rise, rounded to single precision, by lengths(). A pass over the
  // data.
  virtual SparseColumns of(std::span<const Key> features,
                           std::span<const std::uint32_t> lengths) const = 0;

  // What is taken from every entry of each column, empty: zeros.
  virtual std::span<const double> offsets() const = 0;
};

// F offers it by these three members, unless its has_stored_columns() is false.
template <class F>
concept OffersStoredColumns =
    requires(const F f, std::span<const Key> features, std::span<const std::uint32_t> lengths) {
      { f.column_lengths() } -> std::convertible_to<std::vector<std::uint32_t>>;
      { f.stored_columns(features, lengths) } -> std::convertible_to<SparseColumns>;
      { f.column_offsets() } -> std::convertible_to<std::span<const double>>;
    };

template <class F>
concept MentionsStoredColumns = requires { &F::stored_columns; } || requires {
  &F::column_lengths;
} || requires { &F::column_offsets; };

// Null where F does not offer it. Borrows f.
template <class F>
std::unique_ptr<const StoredColumns> stored_columns_of([[maybe_unused]] const F& f) {
  static_assert(OffersStoredColumns<F> || !MentionsStoredColumns<F>,
                "this f has some of the facet StoredColumns but not all: expected "
                "stored_columns(features, lengths) const, a SparseColumns, column_lengths() const "
                "and column_offsets() const");
  if constexpr (OffersStoredColumns<F>) {
    if constexpr (requires { f.has_stored_columns(); })
      if (!f.has_stored_columns()) return nullptr;
    struct Facet final : StoredColumns {
      explicit Facet(const F& borrowed) : f(borrowed) {}
      std::vector<std::uint32_t> lengths() const override { return f.column_lengths(); }
      SparseColumns of(std::span<const Key> features,
                       std::span<const std::uint32_t> lengths) const override {
        return f.stored_columns(features, lengths);
      }
      std::span<const double> offsets() const override { return f.column_offsets(); }
      const F& f;
    };
    return std::make_unique<const Facet>(f);
  } else {
    return nullptr;
  }
}

}  // namespace asynprox
