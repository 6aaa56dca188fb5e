#include "asynprox/linalg/rows.h"

#include <limits>
#include <string>
#include <variant>

#include "asynprox/base/errors.h"
#include "asynprox/linalg/row_types.h"
#include "asynprox/linalg/rows_builder.h"
#include "asynprox/linalg/sparse_rows.h"

namespace asynprox {
namespace {

using U8 = std::uint8_t;
using U16 = std::uint16_t;
using U32 = std::uint32_t;

template <class Column, class Value>
using Compressed = SparseRows<RowLayout::compressed, Column, Value>;
template <class Column, class Value>
using Blocks = SparseRows<RowLayout::blocks, Column, Value>;
template <class Column, class Value>
using Slots = SparseRows<RowLayout::slots, Column, Value>;

using AnyForm = std::variant<
    Compressed<U16, Ones>, Compressed<U16, U8>, Compressed<U16, float>, Compressed<U16, double>,
    Compressed<U32, Ones>, Compressed<U32, U8>, Compressed<U32, float>, Compressed<U32, double>,
    Blocks<U16, U8>, Blocks<U16, float>, Blocks<U16, double>, Blocks<U32, U8>, Blocks<U32, float>,
    Blocks<U32, double>, Slots<U16, Ones>, Slots<U16, U8>, Slots<U16, float>, Slots<U16, double>,
    Slots<U32, Ones>, Slots<U32, U8>, Slots<U32, float>, Slots<U32, double>>;

bool is_aligned(std::span<const std::byte> bytes, std::size_t size) {
  return size == 0 || reinterpret_cast<std::uintptr_t>(bytes.data()) % size == 0;
}

// The sizes of columns and values; nothing here looks at an entry.
void check_sizes(const RowArrays& arrays, std::uint64_t num_entries) {
  const std::size_t column_size = size_of(arrays.column_type);
  const std::size_t value_size = size_of(arrays.value_type);
  const std::uint64_t columns_max =
      arrays.column_type == ColumnType::u16 ? kColumnsMax<U16> : kColumnsMax<U32>;
  require(arrays.num_rows <= kColumnsMax<SampleIndex>, "rows: more than 2^32 samples");
  require(arrays.num_columns <= columns_max, "rows: more columns than their type can count");
  require(arrays.num_nonzeros <= num_entries, "rows: more entries than there is room for");
  require(arrays.columns.size() / column_size == num_entries &&
              arrays.columns.size() % column_size == 0,
          "rows: the columns are not as many as the layout says");
  require(value_size == 0 ? arrays.values.empty()
                          : arrays.values.size() / value_size == num_entries &&
                                arrays.values.size() % value_size == 0,
          "rows: the values are not as many as the layout says");
  require(is_aligned(arrays.columns, column_size) && is_aligned(arrays.values, value_size),
          "rows: an array does not begin at a multiple of its entries' size");
}

// How many entries there are in slots, those that fill up rows among them.
std::uint64_t entries_in_slots(const RowArrays& arrays) {
  const std::uint64_t num_rows = arrays.num_rows, slots = arrays.slots;
  require(arrays.offsets.empty(), "rows: slots have no offsets");
  require(slots == 0 || num_rows <= std::numeric_limits<std::uint64_t>::max() / slots,
          "rows: more slots than can be counted");
  const bool may_fill_up =
      arrays.value_type == ValueType::ones && arrays.num_columns <= kFilledColumnsMax;
  require(may_fill_up || arrays.num_nonzeros == num_rows * slots,
          "rows: only ones of few columns may leave slots empty");
  return num_rows * slots;
}

// The same for compressed rows and blocks.
std::uint64_t entries_by_offsets(const RowArrays& arrays) {
  require(arrays.slots == 0, "rows: only the layout of slots has slots");
  require(arrays.layout == RowLayout::compressed || arrays.value_type != ValueType::ones,
          "rows: ones have no value to fill blocks up with");
  require(arrays.offsets.size() % sizeof(std::uint64_t) == 0 &&
              arrays.offsets.size() / sizeof(std::uint64_t) == arrays.num_rows + 1 &&
              is_aligned(arrays.offsets, sizeof(std::uint64_t)),
          "rows: expected an offset a row and one more");
  const auto offsets = array_of<std::uint64_t>(arrays.offsets);
  if (offsets.front() != 0) throw DataError("rows: the first offset must be 0");
  if (arrays.layout == RowLayout::compressed && offsets.back() != arrays.num_nonzeros)
    throw DataError("rows: the last offset must be the number of entries");
  return offsets.back();
}

// `arrays` has passed the checks.
template <class Column, class Value>
AnyForm with_layout(const RowArrays& arrays) {
  if (arrays.layout == RowLayout::slots) return Slots<Column, Value>(arrays);
  if constexpr (!std::same_as<Value, Ones>)
    if (arrays.layout == RowLayout::blocks) return Blocks<Column, Value>(arrays);
  return Compressed<Column, Value>(arrays);
}

AnyForm form_of(const RowArrays& arrays) {
  return with_type(arrays.column_type, [&]<class Column>(std::type_identity<Column>) {
    return with_type(arrays.value_type, [&]<class Value>(std::type_identity<Value>) {
      return with_layout<Column, Value>(arrays);
    });
  });
}

}  // namespace

struct Rows::Form {
  Form(const RowArrays& flat, std::shared_ptr<const void> keeper)
      : arrays(flat),
        owner(std::move(keeper)),
        rows(form_of(flat)),
        name(std::visit([](const auto& r) { return r.name(); }, rows)) {}

  const RowArrays arrays;
  const std::shared_ptr<const void> owner;
  const AnyForm rows;
  const std::string name;
};

Rows::Rows() : Rows(plain(CsrMatrix{})) {}

Rows::Rows(std::shared_ptr<const Form> form) : form_(std::move(form)) {}

Rows Rows::narrowed(const CsrMatrix& matrix) {
  RowsBuilder builder;
  builder.add(matrix);
  return std::move(builder).build(matrix.num_columns);
}

Rows Rows::plain(const CsrMatrix& matrix) {
  RowsBuilder builder;
  builder.add(matrix);
  return std::move(builder).build_as(matrix.num_columns, {.layout = RowLayout::compressed,
                                                          .column_type = ColumnType::u32,
                                                          .value_type = ValueType::f64});
}

Rows Rows::borrowed(const RowArrays& arrays, std::shared_ptr<const void> owner) {
  check_sizes(arrays, arrays.layout == RowLayout::slots ? entries_in_slots(arrays)
                                                        : entries_by_offsets(arrays));
  return Rows(std::make_shared<const Form>(arrays, std::move(owner)));
}

RowArrays Rows::arrays() const { return form_->arrays; }

std::size_t Rows::num_rows() const { return form_->arrays.num_rows; }

std::size_t Rows::num_columns() const { return form_->arrays.num_columns; }

std::size_t Rows::num_nonzeros() const { return form_->arrays.num_nonzeros; }

std::size_t Rows::bytes() const {
  const RowArrays& arrays = form_->arrays;
  return arrays.offsets.size() + arrays.columns.size() + arrays.values.size();
}

std::string_view Rows::form() const { return form_->name; }

void Rows::check_entries() const {
  std::visit([](const auto& rows) { rows.check_entries(); }, form_->rows);
}

void Rows::dots(std::span<const SampleIndex> samples, std::span<const double> x,
                std::span<double> u) const {
  require(x.size() >= num_columns() && u.size() >= samples.size(), "dots: a vector is too short");
  std::visit([&](const auto& rows) { rows.dots(samples, x, u); }, form_->rows);
}

void Rows::scatter(std::span<const SampleIndex> samples, std::span<const double> c,
                   std::span<double> g) const {
  require(g.size() >= num_columns() && c.size() >= samples.size(),
          "scatter: a vector is too short");
  std::visit([&](const auto& rows) { rows.scatter(samples, c, g); }, form_->rows);
}

void Rows::add_keys(std::span<const SampleIndex> samples, KeySet& keys) const {
  std::visit([&](const auto& rows) { rows.add_keys(samples, keys); }, form_->rows);
}

Vector Rows::squared_norms(std::span<const double> row_scale) const {
  return std::visit([&](const auto& rows) { return rows.squared_norms(row_scale); }, form_->rows);
}

std::vector<RowEntry> Rows::row(std::size_t index) const {
  require(index < num_rows(), "row: no such row");
  return std::visit([&](const auto& rows) { return rows.row(index); }, form_->rows);
}

}  // namespace asynprox
