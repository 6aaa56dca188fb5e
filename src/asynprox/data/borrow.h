// A data set whose rows are arrays of the caller's: NumPy's, SciPy's, a framework's. Not copied.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <variant>

#include "asynprox/data/dataset.h"

namespace asynprox {

// Signed numbers are taken too, for many who keep such arrays have no others; none is negative.
using BorrowedOffsets =
    std::variant<std::span<const std::int32_t>, std::span<const std::int64_t>,
                 std::span<const std::uint32_t>, std::span<const std::uint64_t>>;
using BorrowedColumns = BorrowedOffsets;
using BorrowedValues = std::variant<std::span<const float>, std::span<const double>>;

// Compressed sparse rows: row i has entries offsets[i] to offsets[i + 1], columns count from 0 and
// rise within a row, values are finite. Offsets of 32 bits with columns of 32 or 64 bits, or of 64
// bits with either.
struct BorrowedCsr {
  std::size_t num_columns = 0;
  BorrowedOffsets offsets = {};  // num_rows + 1
  BorrowedColumns columns = {};
  BorrowedValues values = {};
};

// Row after row, without gaps: entry (i, j) is values[i * num_columns + j].
struct BorrowedDense {
  std::size_t num_rows = 0;
  std::size_t num_columns = 0;
  BorrowedValues values = {};
};

// A view of the arrays, which stay as they are while `owner`, or without one the caller, keeps
// them. All entries are looked at once: ContractError, naming the row (from 0), for columns that do
// not rise or are not below num_columns, offsets that fall, values that are not finite, and sizes
// that do not fit. `labels`: one per row.
Dataset borrow_csr(const BorrowedCsr& matrix, Vector labels,
                   std::shared_ptr<const void> owner = nullptr);
Dataset borrow_dense(const BorrowedDense& matrix, Vector labels,
                     std::shared_ptr<const void> owner = nullptr);

}  // namespace asynprox
