#include "asynprox/linalg/sparse_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace asynprox {
namespace {

// The samples of a batch lie anywhere in memory: a row's entries are asked for this many samples
// before they are used, and its offset as long before that.
constexpr std::size_t kSamplesAhead = 8;
constexpr std::size_t kCacheLine = 64;
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

}  // namespace

template <>
bool is_lossless<Ones>(double value) {
  return value == 1;
}

template <>
bool is_lossless<std::uint8_t>(double value) {
  return value >= 0 && value <= 255 && !std::signbit(value) && value == std::trunc(value);
}

template <>
bool is_lossless<float>(double value) {
  return std::fabs(value) <= std::numeric_limits<float>::max() &&
         static_cast<double>(static_cast<float>(value)) == value;
}

template <class Value>
Values<Value>::Values(std::span<const double> values) : stored_(values.size()) {
  std::ranges::transform(values, stored_.begin(), [](double v) { return static_cast<Value>(v); });
}

template <std::unsigned_integral Column, class Value>
SparseRows<Column, Value>::SparseRows(const CsrMatrix& matrix)
    : num_columns_(matrix.num_columns),
      offsets_(matrix.offsets),
      columns_(matrix.columns.size()),
      values_(matrix.values) {
  std::ranges::transform(matrix.columns, columns_.begin(),
                         [](Key column) { return static_cast<Column>(column); });
}

template <std::unsigned_integral Column, class Value>
std::size_t SparseRows<Column, Value>::bytes() const {
  return offsets_.size() * sizeof(offsets_[0]) + columns_.size() * sizeof(Column) + values_.bytes();
}

template <std::unsigned_integral Column, class Value>
std::string SparseRows<Column, Value>::name() const {
  return std::to_string(8 * sizeof(Column)) + "-bit columns, " + value_name<Value>();
}

template <std::unsigned_integral Column, class Value>
[[gnu::always_inline]] inline void SparseRows<Column, Value>::prefetch_ahead(
    std::span<const SampleIndex> samples, std::size_t i) const {
  if (i + 2 * kSamplesAhead < samples.size())
    __builtin_prefetch(&offsets_[samples[i + 2 * kSamplesAhead]]);
  if (i + kSamplesAhead >= samples.size()) return;
  const SampleIndex ahead = samples[i + kSamplesAhead];
  const std::size_t begin = offsets_[ahead], end = offsets_[ahead + std::size_t{1}];
  prefetch(columns_.data() + begin, columns_.data() + end);
  if constexpr (!std::same_as<Value, Ones>) prefetch(values_.address(begin), values_.address(end));
}

template <std::unsigned_integral Column, class Value>
void SparseRows<Column, Value>::dots(std::span<const SampleIndex> samples,
                                     std::span<const double> x, std::span<double> u) const {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    prefetch_ahead(samples, i);
    const std::size_t end = offsets_[samples[i] + std::size_t{1}];
    double sum = 0;
    for (std::size_t entry = offsets_[samples[i]]; entry < end; ++entry)
      sum += values_[entry] * x[columns_[entry]];
    u[i] = sum;
  }
}

template <std::unsigned_integral Column, class Value>
void SparseRows<Column, Value>::scatter(std::span<const SampleIndex> samples,
                                        std::span<const double> c, std::span<double> g) const {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    prefetch_ahead(samples, i);
    const std::size_t end = offsets_[samples[i] + std::size_t{1}];
    const double c_i = c[i];
    for (std::size_t entry = offsets_[samples[i]]; entry < end; ++entry)
      g[columns_[entry]] += c_i * values_[entry];
  }
}

template <std::unsigned_integral Column, class Value>
void SparseRows<Column, Value>::add_keys(std::span<const SampleIndex> samples, KeySet& keys) const {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    prefetch_ahead(samples, i);
    const std::size_t end = offsets_[samples[i] + std::size_t{1}];
    for (std::size_t entry = offsets_[samples[i]]; entry < end; ++entry) keys.add(columns_[entry]);
  }
}

template <std::unsigned_integral Column, class Value>
Vector SparseRows<Column, Value>::squared_norms(std::span<const double> row_scale) const {
  Vector norms(num_rows(), 0);
  for (std::size_t i = 0; i < norms.size(); ++i) {
    const double scale = row_scale.empty() ? 1 : row_scale[i];
    for (std::size_t entry = offsets_[i]; entry < offsets_[i + 1]; ++entry) {
      const double scaled = scale * values_[entry];
      norms[i] += scaled * scaled;
    }
  }
  return norms;
}

template <std::unsigned_integral Column, class Value>
std::vector<RowEntry> SparseRows<Column, Value>::row(std::size_t index) const {
  std::vector<RowEntry> entries;
  entries.reserve(offsets_[index + 1] - offsets_[index]);
  for (std::size_t entry = offsets_[index]; entry < offsets_[index + 1]; ++entry)
    entries.push_back({columns_[entry], values_[entry]});
  return entries;
}

template class SparseRows<std::uint16_t, Ones>;
template class SparseRows<std::uint16_t, std::uint8_t>;
template class SparseRows<std::uint16_t, float>;
template class SparseRows<std::uint16_t, double>;
template class SparseRows<std::uint32_t, Ones>;
template class SparseRows<std::uint32_t, std::uint8_t>;
template class SparseRows<std::uint32_t, float>;
template class SparseRows<std::uint32_t, double>;

}  // namespace asynprox
