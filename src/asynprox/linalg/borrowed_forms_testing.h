// For tests: a matrix in every form that rows are only borrowed in.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "asynprox/linalg/rows.h"

namespace asynprox {

template <class Offset, class Column, class Value>
Rows borrowed_csr(const CsrMatrix& matrix) {
  struct Arrays {
    std::vector<Offset> offsets;
    std::vector<Column> columns;
    std::vector<Value> values;
  };
  auto own = std::make_shared<Arrays>();
  for (const std::uint64_t offset : matrix.offsets)
    own->offsets.push_back(static_cast<Offset>(offset));
  own->columns.assign(matrix.columns.begin(), matrix.columns.end());
  for (const double value : matrix.values) own->values.push_back(static_cast<Value>(value));
  const RowArrays arrays{.offset_type = sizeof(Offset) == 8 ? OffsetType::u64 : OffsetType::u32,
                         .column_type = sizeof(Column) == 8 ? ColumnType::u64 : ColumnType::u32,
                         .value_type = sizeof(Value) == 8 ? ValueType::f64 : ValueType::f32,
                         .num_rows = matrix.offsets.size() - 1,
                         .num_columns = matrix.num_columns,
                         .num_nonzeros = matrix.columns.size(),
                         .offsets = std::as_bytes(std::span(own->offsets)),
                         .columns = std::as_bytes(std::span(own->columns)),
                         .values = std::as_bytes(std::span(own->values))};
  return Rows::borrowed(arrays, own);
}

// How many columns from 0 on every row has, if they are the same and it has no others; else 0.
inline std::size_t dense_length(const CsrMatrix& matrix) {
  const std::size_t num_rows = matrix.offsets.size() - 1;
  const std::size_t length = num_rows == 0 ? 0 : matrix.columns.size() / num_rows;
  for (std::size_t e = 0; e < matrix.columns.size(); ++e)
    if (length == 0 || matrix.columns[e] != e % length) return 0;
  for (std::size_t i = 0; i <= num_rows; ++i)
    if (matrix.offsets[i] != i * length) return 0;
  return length;
}

template <class Value>
Rows borrowed_dense(const CsrMatrix& matrix) {
  auto own = std::make_shared<std::vector<Value>>();
  for (const double value : matrix.values) own->push_back(static_cast<Value>(value));
  const RowArrays arrays{.layout = RowLayout::dense,
                         .value_type = sizeof(Value) == 8 ? ValueType::f64 : ValueType::f32,
                         .num_rows = matrix.offsets.size() - 1,
                         .num_columns = matrix.num_columns,
                         .num_nonzeros = own->size(),
                         .slots = dense_length(matrix),
                         .values = std::as_bytes(std::span(*own))};
  return Rows::borrowed(arrays, own);
}

template <class Value>
void add_borrowed_forms(const CsrMatrix& matrix, std::vector<Rows>& forms) {
  forms.push_back(borrowed_csr<std::uint32_t, std::uint32_t, Value>(matrix));
  forms.push_back(borrowed_csr<std::uint32_t, std::uint64_t, Value>(matrix));
  forms.push_back(borrowed_csr<std::uint64_t, std::uint32_t, Value>(matrix));
  forms.push_back(borrowed_csr<std::uint64_t, std::uint64_t, Value>(matrix));
  if (dense_length(matrix) > 0) forms.push_back(borrowed_dense<Value>(matrix));
}

// Floats only where they lose nothing; dense only where rows are that.
inline std::vector<Rows> borrowed_forms(const CsrMatrix& matrix) {
  std::vector<Rows> forms;
  add_borrowed_forms<double>(matrix, forms);
  if (std::ranges::all_of(matrix.values, [](double v) { return static_cast<float>(v) == v; }))
    add_borrowed_forms<float>(matrix, forms);
  return forms;
}

// The same with every column in every row: zeros where there was nothing.
inline CsrMatrix filled_up(const CsrMatrix& matrix) {
  CsrMatrix dense{.num_columns = matrix.num_columns};
  for (std::size_t i = 0; i + 1 < matrix.offsets.size(); ++i) {
    std::size_t entry = matrix.offsets[i];
    for (std::size_t j = 0; j < matrix.num_columns; ++j) {
      const bool there = entry < matrix.offsets[i + 1] && matrix.columns[entry] == j;
      dense.columns.push_back(static_cast<Key>(j));
      dense.values.push_back(there ? matrix.values[entry++] : 0);
    }
    dense.offsets.push_back(dense.columns.size());
  }
  return dense;
}

}  // namespace asynprox
