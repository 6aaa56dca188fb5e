// One form of compressed sparse rows: how wide a column and a value are stored. The kernels are the
// same text for every form, so every form gives the same bits.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "asynprox/linalg/rows.h"

namespace asynprox {

// The value type of rows whose entries are all 1: nothing is stored.
struct Ones {};

// The values of all entries, in order.
template <class Value>
class Values {
 public:
  explicit Values(std::span<const double> values);

  double operator[](std::size_t entry) const { return static_cast<double>(stored_[entry]); }
  const Value* address(std::size_t entry) const { return stored_.data() + entry; }
  std::size_t bytes() const { return stored_.size() * sizeof(Value); }

 private:
  std::vector<Value> stored_;
};

template <>
class Values<Ones> {
 public:
  explicit Values(std::span<const double>) {}

  double operator[](std::size_t) const { return 1; }
  std::size_t bytes() const { return 0; }
};

// Whether storing `value` as a Value and reading it back gives the same bits.
template <class Value>
bool is_lossless(double value);

template <std::unsigned_integral Column, class Value>
class SparseRows {
 public:
  // The matrix is well formed, and its columns and values fit this form.
  explicit SparseRows(const CsrMatrix& matrix);

  std::size_t num_rows() const { return offsets_.size() - 1; }
  std::size_t num_columns() const { return num_columns_; }
  std::size_t num_nonzeros() const { return columns_.size(); }
  std::size_t bytes() const;
  std::string name() const;

  // As in Rows.
  void dots(std::span<const SampleIndex> samples, std::span<const double> x,
            std::span<double> u) const;
  void scatter(std::span<const SampleIndex> samples, std::span<const double> c,
               std::span<double> g) const;
  void add_keys(std::span<const SampleIndex> samples, KeySet& keys) const;
  Vector squared_norms(std::span<const double> row_scale) const;
  std::vector<RowEntry> row(std::size_t index) const;

 private:
  void prefetch_ahead(std::span<const SampleIndex> samples, std::size_t i) const;

  std::size_t num_columns_;
  std::vector<std::uint64_t> offsets_;
  std::vector<Column> columns_;
  Values<Value> values_;
};

}  // namespace asynprox
