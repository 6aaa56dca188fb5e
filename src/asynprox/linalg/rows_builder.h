// Collects rows as they are read, and packs them into the form of Rows that serves them best.
//
// Rows are narrow from the start: at any time memory holds them once, as narrow as they have turned
// out to be so far, and the last few of them wide.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "asynprox/linalg/row_buffer.h"
#include "asynprox/linalg/rows.h"

namespace asynprox {

struct RowForm {
  RowLayout layout = RowLayout::compressed;
  ColumnType column_type = ColumnType::u32;
  ValueType value_type = ValueType::f64;
};

class RowsBuilder {
 public:
  // Appends rows: row i of the block holds entries offsets[i] to offsets[i + 1], which count from
  // the first of the spans. ContractError if the block is not well formed, or columns do not rise.
  void add(std::span<const std::uint64_t> offsets, std::span<const Key> columns,
           std::span<const double> values);

  // The same for a matrix; its num_columns is not looked at.
  void add(const CsrMatrix& block) { add(block.offsets, block.columns, block.values); }

  // Appends the rows that another has collected: several threads may narrow rows at once.
  void add(RowsBuilder&& more);

  std::size_t num_rows() const { return num_rows_; }
  std::size_t num_nonzeros() const { return num_nonzeros_; }
  std::size_t num_columns() const { return num_columns_; }  // one more than the largest column

  // ContractError if a row has a column that is not below `num_columns`.
  Rows build(std::size_t num_columns) &&;

  // In a form of the caller's choice, which must have room for every row.
  Rows build_as(std::size_t num_columns, const RowForm& form) &&;

 private:
  // Rows next to each other, as narrow as their own entries allow.
  struct Chunk {
    std::vector<std::uint32_t> lengths;  // of each row
    ColumnType column_type;
    ValueType value_type;
    RowBuffer buffer;
  };

  void seal();
  void seal(std::span<const std::uint64_t> offsets, std::span<const Key> columns,
            std::span<const double> values);
  RowForm best_form(std::size_t num_columns) const;
  RowArrays arrays_for(std::size_t num_columns, const RowForm& form) const;

  std::size_t num_rows_ = 0;
  std::size_t num_nonzeros_ = 0;
  std::size_t num_columns_ = 0;
  std::size_t num_blocks_ = 0;
  std::uint32_t length_min_ = 0xffffffff, length_max_ = 0;
  ValueType value_type_ = ValueType::ones;  // the widest of the chunks
  CsrMatrix open_;                          // the last rows, not narrowed yet
  std::vector<Chunk> chunks_;
};

}  // namespace asynprox
