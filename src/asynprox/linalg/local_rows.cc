#include "asynprox/linalg/local_rows.h"

#include <cstring>
#include <numeric>

#include "asynprox/linalg/row_access.h"
#include "asynprox/linalg/row_kernels.h"

namespace asynprox {
namespace {

// The columns of a row are asked for in the set this many rows before they are added.
constexpr std::size_t kRowsAhead = 2;

template <class Access>
[[gnu::always_inline]] inline void prefetch_keys(const Access& access,
                                                 std::span<const SampleIndex> samples,
                                                 std::size_t i, const KeySet& keys) {
  if (i + kRowsAhead >= samples.size()) return;
  const auto row = access.row(samples[i + kRowsAhead]);
  for (std::size_t e = 0; e < row.length; ++e) keys.prefetch(static_cast<Key>(row.columns[e]));
}

// Appends the row's values, each times its column's scale, as doubles.
template <class Row>
void append_scaled(const Row& row, std::span<const double> column_scale,
                   std::vector<std::byte>& values) {
  for (std::size_t e = 0; e < row.length; ++e) {
    const double scaled = row.value(e) * column_scale[row.columns[e]];
    values.resize(values.size() + sizeof(scaled));
    std::memcpy(values.data() + values.size() - sizeof(scaled), &scaled, sizeof(scaled));
  }
}

}  // namespace

void LocalRows::assign(const Rows& rows, std::span<const SampleIndex> samples, KeySet& keys,
                       std::span<const double> column_scale) {
  offsets_.assign(1, 0);
  columns_.clear();
  values_.clear();
  const RowArrays from = rows.arrays();
  value_type_ = column_scale.empty() ? from.value_type : ValueType::f64;
  with_access(from, [&]<class Access>(const Access& access) {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      access.prefetch_ahead(samples, i);
      prefetch_keys(access, samples, i, keys);
      const auto row = access.row(samples[i]);
      const std::size_t begin = columns_.size();
      columns_.resize(begin + row.length);
      keys.add(row.columns, row.length, columns_.data() + begin);
      if (!column_scale.empty()) {
        append_scaled(row, column_scale, values_);
      } else if constexpr (Access::stores_values) {
        const std::size_t bytes = row.length * sizeof(row.values[0]);
        values_.resize(values_.size() + bytes);
        if (bytes > 0) std::memcpy(values_.data() + values_.size() - bytes, row.values, bytes);
      }
      offsets_.push_back(columns_.size());
    }
  });
  num_keys_ = keys.keys().size();
  if (numbers_.size() >= samples.size()) return;
  numbers_.resize(samples.size());
  std::iota(numbers_.begin(), numbers_.end(), SampleIndex{0});
}

RowArrays LocalRows::arrays() const {
  return {.layout = RowLayout::compressed,
          .column_type = ColumnType::u32,
          .value_type = value_type_,
          .num_rows = offsets_.size() - 1,
          .num_columns = num_keys_,
          .num_nonzeros = columns_.size(),
          .slots = 0,
          .offsets = std::as_bytes(std::span(offsets_)),
          .columns = std::as_bytes(std::span(columns_)),
          .values = values_};
}

void LocalRows::dots(std::size_t first, std::span<const double> x, std::span<double> u) const {
  const RowArrays rows = arrays();
  row_kernels(rows).dots(rows, numbers(first, u.size()), x, u);
}

void LocalRows::scatter(std::size_t first, std::span<const double> c, std::span<double> g) const {
  const RowArrays rows = arrays();
  row_kernels(rows).scatter(rows, numbers(first, c.size()), c, g);
}

}  // namespace asynprox
