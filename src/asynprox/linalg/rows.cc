#include "asynprox/linalg/rows.h"

#include <algorithm>
#include <limits>
#include <string>
#include <variant>

#include "asynprox/base/errors.h"
#include "asynprox/linalg/sparse_rows.h"

namespace asynprox {
namespace {

using U8 = std::uint8_t;
using U16 = std::uint16_t;
using U32 = std::uint32_t;

using AnyForm = std::variant<SparseRows<U16, Ones>, SparseRows<U16, U8>, SparseRows<U16, float>,
                             SparseRows<U16, double>, SparseRows<U32, Ones>, SparseRows<U32, U8>,
                             SparseRows<U32, float>, SparseRows<U32, double>>;

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

template <class Value>
AnyForm with_values(const CsrMatrix& matrix) {
  if (matrix.num_columns <= kColumnsMax<U16>) return SparseRows<U16, Value>(matrix);
  return SparseRows<U32, Value>(matrix);
}

AnyForm narrowest(const CsrMatrix& matrix) {
  if (std::ranges::all_of(matrix.values, is_lossless<Ones>)) return with_values<Ones>(matrix);
  if (std::ranges::all_of(matrix.values, is_lossless<U8>)) return with_values<U8>(matrix);
  if (std::ranges::all_of(matrix.values, is_lossless<float>)) return with_values<float>(matrix);
  return with_values<double>(matrix);
}

}  // namespace

struct Rows::Form {
  explicit Form(AnyForm form)
      : rows(std::move(form)), name(std::visit([](const auto& r) { return r.name(); }, rows)) {}

  const AnyForm rows;
  const std::string name;
};

Rows::Rows() : Rows(plain(CsrMatrix{})) {}

Rows::Rows(std::shared_ptr<const Form> form) : form_(std::move(form)) {}

Rows Rows::narrowed(const CsrMatrix& matrix) {
  check(matrix);
  return Rows(std::make_shared<const Form>(narrowest(matrix)));
}

Rows Rows::plain(const CsrMatrix& matrix) {
  check(matrix);
  return Rows(std::make_shared<const Form>(SparseRows<U32, double>(matrix)));
}

std::size_t Rows::num_rows() const {
  return std::visit([](const auto& rows) { return rows.num_rows(); }, form_->rows);
}

std::size_t Rows::num_columns() const {
  return std::visit([](const auto& rows) { return rows.num_columns(); }, form_->rows);
}

std::size_t Rows::num_nonzeros() const {
  return std::visit([](const auto& rows) { return rows.num_nonzeros(); }, form_->rows);
}

std::size_t Rows::bytes() const {
  return std::visit([](const auto& rows) { return rows.bytes(); }, form_->rows);
}

std::string_view Rows::form() const { return form_->name; }

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
