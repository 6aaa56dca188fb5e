#include "asynprox/data/borrow.h"

#include <fmt/format.h>

#include <cmath>

#include "asynprox/base/errors.h"

namespace asynprox {
namespace {

struct Bytes {
  std::span<const std::byte> bytes;
  std::size_t entry_size = 0;
  std::size_t count = 0;
};

template <class Spans>
Bytes bytes_of(const Spans& spans) {
  return std::visit(
      [](const auto& span) -> Bytes { return {std::as_bytes(span), sizeof(span[0]), span.size()}; },
      spans);
}

ValueType type_of(const BorrowedValues& values) {
  return values.index() == 0 ? ValueType::f32 : ValueType::f64;
}

// The first row with a value that is not finite; entries_before(i) come before row i.
void check_finite(const BorrowedValues& values, auto&& entries_before, std::size_t num_rows) {
  std::visit(
      [&](const auto& span) {
        std::size_t row = 0;
        for (std::size_t entry = 0; entry < span.size(); ++entry) {
          if (std::isfinite(span[entry])) continue;
          while (row + 1 < num_rows && entries_before(row + 1) <= entry) ++row;
          throw ContractError(
              fmt::format("row {} (from 0): expected finite values, got {}", row, span[entry]));
        }
      },
      values);
}

Dataset borrowed(const RowArrays& arrays, Vector labels, std::shared_ptr<const void> owner) {
  Dataset data{.name = "the caller's arrays"};
  if (labels.size() != arrays.num_rows)
    throw ContractError(
        fmt::format("labels: expected {}, one per row, got {}", arrays.num_rows, labels.size()));
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (!std::isfinite(labels[i]))
      throw ContractError(
          fmt::format("labels: expected finite numbers, got {} for row {} (from 0)", labels[i], i));
  try {
    data.rows = Rows::borrowed(arrays, std::move(owner));
    data.rows.check_entries();
  } catch (const DataError& error) {
    throw ContractError(error.what());
  }
  data.labels = std::move(labels);
  return data;
}

}  // namespace

Dataset borrow_csr(const BorrowedCsr& matrix, Vector labels, std::shared_ptr<const void> owner) {
  const Bytes offsets = bytes_of(matrix.offsets), columns = bytes_of(matrix.columns);
  require(offsets.count >= 1, "offsets: expected one per row and one more, got none");
  Dataset data =
      borrowed({.layout = RowLayout::compressed,
                .offset_type = offsets.entry_size == 8 ? OffsetType::u64 : OffsetType::u32,
                .column_type = columns.entry_size == 8 ? ColumnType::u64 : ColumnType::u32,
                .value_type = type_of(matrix.values),
                .num_rows = offsets.count - 1,
                .num_columns = matrix.num_columns,
                .num_nonzeros = columns.count,
                .offsets = offsets.bytes,
                .columns = columns.bytes,
                .values = bytes_of(matrix.values).bytes},
               std::move(labels), std::move(owner));
  const auto entries_before = [&](std::size_t row) {
    return std::visit([&](const auto& span) { return static_cast<std::size_t>(span[row]); },
                      matrix.offsets);
  };
  check_finite(matrix.values, entries_before, data.num_samples());
  return data;
}

Dataset borrow_dense(const BorrowedDense& matrix, Vector labels,
                     std::shared_ptr<const void> owner) {
  const Bytes values = bytes_of(matrix.values);
  Dataset data = borrowed({.layout = RowLayout::dense,
                           .value_type = type_of(matrix.values),
                           .num_rows = matrix.num_rows,
                           .num_columns = matrix.num_columns,
                           .num_nonzeros = matrix.num_rows * matrix.num_columns,
                           .slots = matrix.num_columns,
                           .values = values.bytes},
                          std::move(labels), std::move(owner));
  check_finite(
      matrix.values, [&](std::size_t row) { return row * matrix.num_columns; }, matrix.num_rows);
  return data;
}

}  // namespace asynprox
