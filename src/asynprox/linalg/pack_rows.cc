// From a CsrMatrix to the flat arrays of a form.
#include <algorithm>
#include <limits>

#include "asynprox/base/errors.h"
#include "asynprox/linalg/row_buffer.h"
#include "asynprox/linalg/rows.h"
#include "asynprox/linalg/sparse_rows.h"

namespace asynprox {
namespace {

// The largest d whose columns, 0 to d - 1, all fit a Column.
template <class Column>
constexpr std::size_t kColumnsMax = std::size_t{std::numeric_limits<Column>::max()} + 1;

void check(const CsrMatrix& matrix) {
  const auto& offsets = matrix.offsets;
  const auto& columns = matrix.columns;
  require(!offsets.empty() && offsets.front() == 0, "rows: the first offset must be 0");
  require(offsets.back() == columns.size() && columns.size() == matrix.values.size(),
          "rows: the last offset, the columns and the values must agree in number");
  require(offsets.size() - 1 <= kColumnsMax<SampleIndex>, "rows: more than 2^32 samples");
  require(matrix.num_columns <= kColumnsMax<Key>, "rows: more than 2^32 columns");
  require(std::ranges::is_sorted(offsets), "rows: offsets must not fall");
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    for (std::size_t entry = offsets[i]; entry < offsets[i + 1]; ++entry) {
      require(columns[entry] < matrix.num_columns, "rows: a column is beyond the last");
      require(entry == offsets[i] || columns[entry - 1] < columns[entry],
              "rows: columns must rise within a row");
    }
  }
}

// One buffer with the three arrays in it, each from a cache line on.
class Packer {
 public:
  Packer(const CsrMatrix& matrix, std::size_t column_size, std::size_t value_size)
      : offsets_(matrix.offsets.size() * sizeof(std::uint64_t)),
        columns_(matrix.columns.size() * column_size),
        values_(matrix.values.size() * value_size),
        buffer_(allocate_buffer(padded(offsets_) + padded(columns_) + padded(values_))) {}

  std::span<std::byte> offsets() const { return {buffer_.get(), offsets_}; }
  std::span<std::byte> columns() const { return {buffer_.get() + padded(offsets_), columns_}; }
  std::span<std::byte> values() const {
    return {buffer_.get() + padded(offsets_) + padded(columns_), values_};
  }
  std::shared_ptr<const void> owner() const { return buffer_; }

 private:
  static std::size_t padded(std::size_t size) {
    return (size + kCacheLine - 1) / kCacheLine * kCacheLine;
  }

  std::size_t offsets_, columns_, values_;
  std::shared_ptr<std::byte> buffer_;
};

template <class T, class From>
void write(const std::vector<From>& from, std::span<std::byte> to) {
  std::ranges::transform(from, reinterpret_cast<T*>(to.data()),
                         [](From entry) { return static_cast<T>(entry); });
}

template <class Column, class Value>
Rows packed(const CsrMatrix& matrix, ColumnType column_type, ValueType value_type) {
  constexpr bool kStoresValues = !std::same_as<Value, Ones>;
  const Packer packer(matrix, sizeof(Column), kStoresValues ? sizeof(Value) : 0);
  write<std::uint64_t>(matrix.offsets, packer.offsets());
  write<Column>(matrix.columns, packer.columns());
  if constexpr (kStoresValues) write<Value>(matrix.values, packer.values());
  return Rows::borrowed({.layout = RowLayout::compressed,
                         .column_type = column_type,
                         .value_type = value_type,
                         .num_rows = matrix.offsets.size() - 1,
                         .num_columns = matrix.num_columns,
                         .num_nonzeros = matrix.columns.size(),
                         .offsets = packer.offsets(),
                         .columns = packer.columns(),
                         .values = packer.values()},
                        packer.owner());
}

template <class Value>
Rows with_values(const CsrMatrix& matrix, ValueType type) {
  if (matrix.num_columns <= kColumnsMax<std::uint16_t>)
    return packed<std::uint16_t, Value>(matrix, ColumnType::u16, type);
  return packed<std::uint32_t, Value>(matrix, ColumnType::u32, type);
}

}  // namespace

Rows Rows::narrowed(const CsrMatrix& matrix) {
  check(matrix);
  if (std::ranges::all_of(matrix.values, is_lossless<Ones>))
    return with_values<Ones>(matrix, ValueType::ones);
  if (std::ranges::all_of(matrix.values, is_lossless<std::uint8_t>))
    return with_values<std::uint8_t>(matrix, ValueType::u8);
  if (std::ranges::all_of(matrix.values, is_lossless<float>))
    return with_values<float>(matrix, ValueType::f32);
  return with_values<double>(matrix, ValueType::f64);
}

Rows Rows::plain(const CsrMatrix& matrix) {
  check(matrix);
  return packed<std::uint32_t, double>(matrix, ColumnType::u32, ValueType::f64);
}

}  // namespace asynprox
