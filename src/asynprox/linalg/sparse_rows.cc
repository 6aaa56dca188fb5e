#include "asynprox/linalg/sparse_rows.h"

#include <algorithm>

#include "asynprox/base/errors.h"
#include "asynprox/linalg/row_buffer.h"

namespace asynprox {
namespace {

// The samples of a batch lie anywhere in memory: a row's entries are asked for this many samples
// before they are used, and its offset as long before that.
constexpr std::size_t kSamplesAhead = 8;
// What comes after these lines of a long row, the processor fetches by itself.
constexpr std::size_t kLinesPerRow = 4;

// GCC 12 deletes prefetches from an out-of-line helper that has a loop.
template <class T>
[[gnu::always_inline]] inline void prefetch(const T* first, const T* last) {
  const char* const begin = reinterpret_cast<const char*>(first);
  const char* const end =
      std::min(reinterpret_cast<const char*>(last), begin + kLinesPerRow * kCacheLine);
  for (const char* line = begin; line < end; line += kCacheLine) __builtin_prefetch(line);
}

template <class Value>
std::string value_name() {
  if constexpr (std::same_as<Value, Ones>) return "all ones";
  if constexpr (std::same_as<Value, std::uint8_t>) return "8-bit integers";
  if constexpr (std::same_as<Value, float>) return "floats";
  if constexpr (std::same_as<Value, double>) return "doubles";
}

[[noreturn]] void fail(std::size_t row, const char* what) {
  throw DataError("row " + std::to_string(row) + " (from 0): " + what);
}

}  // namespace

template <RowLayout kLayout, std::unsigned_integral Column, class Value>
SparseRows<kLayout, Column, Value>::SparseRows(const RowArrays& arrays)
    : num_rows_(arrays.num_rows),
      num_columns_(arrays.num_columns),
      num_nonzeros_(arrays.num_nonzeros),
      layout_(arrays),
      columns_(array_of<Column>(arrays.columns)),
      values_(arrays.values) {}

template <RowLayout kLayout, std::unsigned_integral Column, class Value>
std::string SparseRows<kLayout, Column, Value>::name() const {
  return std::to_string(8 * sizeof(Column)) + "-bit columns, " + value_name<Value>();
}

template <RowLayout kLayout, std::unsigned_integral Column, class Value>
std::size_t SparseRows<kLayout, Column, Value>::end_of_entries(std::size_t row) const {
  const std::size_t begin = layout_.begin(row);
  std::size_t end = layout_.end(row);
  if constexpr (kLayout == RowLayout::blocks)
    while (end > begin + 1 && columns_[end - 2] == columns_[end - 1]) --end;
  if constexpr (kLayout == RowLayout::slots)
    while (end > begin && columns_[end - 1] == num_columns_) --end;
  return end;
}

template <RowLayout kLayout, std::unsigned_integral Column, class Value>
[[gnu::always_inline]] inline void SparseRows<kLayout, Column, Value>::prefetch_ahead(
    std::span<const SampleIndex> samples, std::size_t i) const {
  if constexpr (kLayout != RowLayout::slots)
    if (i + 2 * kSamplesAhead < samples.size())
      __builtin_prefetch(layout_.address(samples[i + 2 * kSamplesAhead]));
  if (i + kSamplesAhead >= samples.size()) return;
  const SampleIndex ahead = samples[i + kSamplesAhead];
  const std::size_t begin = layout_.begin(ahead), end = layout_.end(ahead);
  prefetch(columns_.data() + begin, columns_.data() + end);
  if constexpr (!std::same_as<Value, Ones>) prefetch(values_.address(begin), values_.address(end));
}

template <RowLayout kLayout, std::unsigned_integral Column, class Value>
void SparseRows<kLayout, Column, Value>::dots(std::span<const SampleIndex> samples,
                                              std::span<const double> x,
                                              std::span<double> u) const {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    prefetch_ahead(samples, i);
    const std::size_t end = end_of_entries(samples[i]);
    double sum = 0;
    for (std::size_t entry = layout_.begin(samples[i]); entry < end; ++entry)
      sum += values_[entry] * x[columns_[entry]];
    u[i] = sum;
  }
}

template <RowLayout kLayout, std::unsigned_integral Column, class Value>
void SparseRows<kLayout, Column, Value>::scatter(std::span<const SampleIndex> samples,
                                                 std::span<const double> c,
                                                 std::span<double> g) const {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    prefetch_ahead(samples, i);
    const std::size_t end = end_of_entries(samples[i]);
    const double c_i = c[i];
    for (std::size_t entry = layout_.begin(samples[i]); entry < end; ++entry)
      g[columns_[entry]] += c_i * values_[entry];
  }
}

template <RowLayout kLayout, std::unsigned_integral Column, class Value>
void SparseRows<kLayout, Column, Value>::add_keys(std::span<const SampleIndex> samples,
                                                  KeySet& keys) const {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    prefetch_ahead(samples, i);
    const std::size_t end = end_of_entries(samples[i]);
    for (std::size_t entry = layout_.begin(samples[i]); entry < end; ++entry)
      keys.add(columns_[entry]);
  }
}

template <RowLayout kLayout, std::unsigned_integral Column, class Value>
Vector SparseRows<kLayout, Column, Value>::squared_norms(std::span<const double> row_scale) const {
  Vector norms(num_rows_, 0);
  for (std::size_t i = 0; i < norms.size(); ++i) {
    const double scale = row_scale.empty() ? 1 : row_scale[i];
    const std::size_t end = end_of_entries(i);
    for (std::size_t entry = layout_.begin(i); entry < end; ++entry) {
      const double scaled = scale * values_[entry];
      norms[i] += scaled * scaled;
    }
  }
  return norms;
}

template <RowLayout kLayout, std::unsigned_integral Column, class Value>
std::vector<RowEntry> SparseRows<kLayout, Column, Value>::row(std::size_t index) const {
  std::vector<RowEntry> entries;
  const std::size_t begin = layout_.begin(index), end = end_of_entries(index);
  entries.reserve(end - begin);
  for (std::size_t entry = begin; entry < end; ++entry)
    entries.push_back({columns_[entry], values_[entry]});
  return entries;
}

template <RowLayout kLayout, std::unsigned_integral Column, class Value>
void SparseRows<kLayout, Column, Value>::check_entries() const {
  std::size_t num_nonzeros = 0;
  for (std::size_t i = 0; i < num_rows_; ++i) {
    check_row(i);
    num_nonzeros += end_of_entries(i) - layout_.begin(i);
  }
  if (num_nonzeros != num_nonzeros_)
    throw DataError("expected " + std::to_string(num_nonzeros_) + " entries in all rows, got " +
                    std::to_string(num_nonzeros));
}

template <RowLayout kLayout, std::unsigned_integral Column, class Value>
void SparseRows<kLayout, Column, Value>::check_row(std::size_t row) const {
  const std::size_t begin = layout_.begin(row), end = layout_.end(row);
  if (begin > end || end > columns_.size()) fail(row, "its offset is beyond the next or the last");
  if (kLayout == RowLayout::blocks && (end - begin) % kEntriesPerBlock != 0)
    fail(row, "does not fill whole blocks");
  const std::size_t end_of_row = end_of_entries(row);
  if (kLayout == RowLayout::blocks && end - end_of_row >= kEntriesPerBlock)
    fail(row, "ends in a block without entries");
  for (std::size_t entry = begin; entry < end_of_row; ++entry) {
    if (columns_[entry] >= num_columns_) fail(row, "a column is beyond the last");
    if (entry > begin && columns_[entry - 1] >= columns_[entry]) fail(row, "columns do not rise");
  }
  if constexpr (!std::same_as<Value, Ones>)
    for (std::size_t entry = end_of_row; entry < end; ++entry)
      if (values_[entry] != 0) fail(row, "is filled up with other values than 0");
}

template class SparseRows<RowLayout::compressed, std::uint16_t, Ones>;
template class SparseRows<RowLayout::compressed, std::uint16_t, std::uint8_t>;
template class SparseRows<RowLayout::compressed, std::uint16_t, float>;
template class SparseRows<RowLayout::compressed, std::uint16_t, double>;
template class SparseRows<RowLayout::compressed, std::uint32_t, Ones>;
template class SparseRows<RowLayout::compressed, std::uint32_t, std::uint8_t>;
template class SparseRows<RowLayout::compressed, std::uint32_t, float>;
template class SparseRows<RowLayout::compressed, std::uint32_t, double>;
template class SparseRows<RowLayout::blocks, std::uint16_t, std::uint8_t>;
template class SparseRows<RowLayout::blocks, std::uint16_t, float>;
template class SparseRows<RowLayout::blocks, std::uint16_t, double>;
template class SparseRows<RowLayout::blocks, std::uint32_t, std::uint8_t>;
template class SparseRows<RowLayout::blocks, std::uint32_t, float>;
template class SparseRows<RowLayout::blocks, std::uint32_t, double>;
template class SparseRows<RowLayout::slots, std::uint16_t, Ones>;
template class SparseRows<RowLayout::slots, std::uint16_t, std::uint8_t>;
template class SparseRows<RowLayout::slots, std::uint16_t, float>;
template class SparseRows<RowLayout::slots, std::uint16_t, double>;
template class SparseRows<RowLayout::slots, std::uint32_t, Ones>;
template class SparseRows<RowLayout::slots, std::uint32_t, std::uint8_t>;
template class SparseRows<RowLayout::slots, std::uint32_t, float>;
template class SparseRows<RowLayout::slots, std::uint32_t, double>;

}  // namespace asynprox
