#include "asynprox/linalg/rows_builder.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "asynprox/base/errors.h"
#include "asynprox/linalg/row_types.h"

namespace asynprox {
namespace {

// So many entries are kept wide before they are narrowed.
constexpr std::size_t kOpenEntries = std::size_t{1} << 18;

// Slots are filled up to a multiple of this, so that the kernels need not look for their end.
constexpr std::uint64_t kSlotsMultiple = 8;

std::uint64_t round_up(std::uint64_t size, std::uint64_t multiple) {
  return (size + multiple - 1) / multiple * multiple;
}

void check(std::span<const std::uint64_t> offsets, std::span<const Key> columns,
           std::span<const double> values) {
  require(!offsets.empty() && offsets.front() == 0, "rows: the first offset must be 0");
  require(offsets.back() == columns.size() && columns.size() == values.size(),
          "rows: the last offset, the columns and the values must agree in number");
  require(std::ranges::is_sorted(offsets), "rows: offsets must not fall");
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
    for (std::size_t entry = offsets[i] + 1; entry < offsets[i + 1]; ++entry)
      require(columns[entry - 1] < columns[entry], "rows: columns must rise within a row");
}

template <class To, class From>
void convert(std::span<const From> from, std::span<std::byte> to) {
  if constexpr (!std::same_as<To, Ones>)
    std::ranges::transform(from, reinterpret_cast<To*>(to.data()),
                           [](From entry) { return static_cast<To>(entry); });
}

// Appends the columns, or the values, of rows of these lengths: `filled(length)` entries for each,
// of which number k after those of the row is filler(end of the row, k).
template <class From, class To>
To* append(std::span<const std::uint32_t> lengths, const From* from, To* to, auto filled,
           auto filler) {
  for (const std::uint32_t length : lengths) {
    To* const end =
        std::transform(from, from + length, to, [](From entry) { return static_cast<To>(entry); });
    from += length;
    to += filled(length);
    for (To* fill = end; fill != to; ++fill) *fill = filler(end, fill - end);
  }
  return to;
}

// Writes rows to their final place, one after the other.
class Packer {
 public:
  // `arrays` says how many of what there will be; the spans are the packer's to fill in.
  Packer(const RowArrays& arrays, std::size_t num_entries)
      : arrays_(arrays),
        buffer_(arrays.layout == RowLayout::slots ? 0 : arrays.num_rows + 1, num_entries,
                size_of(arrays.column_type), size_of(arrays.value_type)),
        next_offset_(reinterpret_cast<std::uint64_t*>(buffer_.offsets().data())),
        next_column_(buffer_.columns().data()),
        next_value_(buffer_.values().data()) {
    if (arrays.layout != RowLayout::slots) *next_offset_++ = 0;
  }

  void append_offsets(std::span<const std::uint32_t> lengths) {
    if (arrays_.layout == RowLayout::slots) return;
    for (const std::uint32_t length : lengths) {
      *next_offset_ = *(next_offset_ - 1) + filled(length);
      ++next_offset_;
    }
  }

  void append_columns(std::span<const std::uint32_t> lengths, ColumnType type,
                      const std::byte* columns) {
    with_type(type, [&]<class From>(std::type_identity<From>) {
      with_type(arrays_.column_type, [&]<class To>(std::type_identity<To>) {
        const std::uint64_t d = arrays_.num_columns;
        const bool slots = arrays_.layout == RowLayout::slots;
        next_column_ = reinterpret_cast<std::byte*>(append(
            lengths, reinterpret_cast<const From*>(columns), reinterpret_cast<To*>(next_column_),
            [this](std::uint32_t length) { return filled(length); },
            [=](const To* end, std::size_t k) {
              return slots ? static_cast<To>(d + k % kFillColumns) : *(end - 1);
            }));
      });
    });
  }

  void append_values(std::span<const std::uint32_t> lengths, ValueType type,
                     const std::byte* values) {
    with_type(arrays_.value_type, [&]<class To>(std::type_identity<To>) {
      if constexpr (!std::same_as<To, Ones>)
        with_type(type, [&]<class From>(std::type_identity<From>) {
          append_values_of<From>(lengths, values, reinterpret_cast<To*>(next_value_));
        });
    });
  }

  Rows rows() {
    arrays_.offsets = buffer_.offsets();
    arrays_.columns = buffer_.columns();
    arrays_.values = buffer_.values();
    return Rows::borrowed(arrays_, buffer_.owner());
  }

 private:
  std::uint64_t filled(std::uint64_t length) const {
    switch (arrays_.layout) {
      case RowLayout::compressed: return length;
      case RowLayout::blocks: return round_up(length, kEntriesPerBlock);
      case RowLayout::slots: return arrays_.slots;
      case RowLayout::dense: break;  // never built
    }
    return length;
  }

  template <class From, class To>
  void append_values_of(std::span<const std::uint32_t> lengths, const std::byte* values, To* to) {
    const auto filled_length = [this](std::uint32_t length) { return filled(length); };
    const auto zero = [](const To*, std::size_t) { return To{0}; };
    if constexpr (std::same_as<From, Ones>) {
      const auto length_max = lengths.empty() ? 0 : std::ranges::max(lengths);
      const std::vector<std::uint8_t> ones(length_max, 1);
      for (const std::uint32_t& length : lengths)
        to = append(std::span(&length, 1), ones.data(), to, filled_length, zero);
    } else {
      to = append(lengths, reinterpret_cast<const From*>(values), to, filled_length, zero);
    }
    next_value_ = reinterpret_cast<std::byte*>(to);
  }

  RowArrays arrays_;
  RowBuffer buffer_;
  std::uint64_t* next_offset_;
  std::byte* next_column_;
  std::byte* next_value_;
};

}  // namespace

void RowsBuilder::add(std::span<const std::uint64_t> offsets, std::span<const Key> columns,
                      std::span<const double> values) {
  check(offsets, columns, values);
  num_rows_ += offsets.size() - 1;
  num_nonzeros_ += columns.size();
  require(num_rows_ <= kColumnsMax<SampleIndex>, "rows: more than 2^32 samples");
  if (!columns.empty())
    num_columns_ = std::max(num_columns_, std::size_t{std::ranges::max(columns)} + 1);
  if (columns.size() >= kOpenEntries) {
    seal();
    return seal(offsets, columns, values);
  }
  const std::uint64_t first = open_.columns.size();
  for (const std::uint64_t offset : offsets.subspan(1)) open_.offsets.push_back(first + offset);
  open_.columns.insert(open_.columns.end(), columns.begin(), columns.end());
  open_.values.insert(open_.values.end(), values.begin(), values.end());
  if (open_.columns.size() >= kOpenEntries) seal();
}

void RowsBuilder::add(RowsBuilder&& more) {
  seal();
  more.seal();
  num_rows_ += more.num_rows_;
  require(num_rows_ <= kColumnsMax<SampleIndex>, "rows: more than 2^32 samples");
  num_nonzeros_ += more.num_nonzeros_;
  num_columns_ = std::max(num_columns_, more.num_columns_);
  num_blocks_ += more.num_blocks_;
  length_min_ = std::min(length_min_, more.length_min_);
  length_max_ = std::max(length_max_, more.length_max_);
  value_type_ = std::max(value_type_, more.value_type_);
  std::ranges::move(more.chunks_, std::back_inserter(chunks_));
  more = RowsBuilder();
}

void RowsBuilder::seal() {
  seal(open_.offsets, open_.columns, open_.values);
  open_.offsets.assign(1, 0);
  open_.columns.clear();
  open_.values.clear();
}

void RowsBuilder::seal(std::span<const std::uint64_t> offsets, std::span<const Key> columns,
                       std::span<const double> values) {
  if (offsets.size() == 1) return;
  const std::uint64_t num_columns =
      columns.empty() ? 0 : std::uint64_t{std::ranges::max(columns)} + 1;
  Chunk chunk{.lengths = std::vector<std::uint32_t>(offsets.size() - 1),
              .column_type = narrowest_columns(num_columns),
              .value_type = narrowest_values(values),
              .buffer = {}};
  chunk.buffer =
      RowBuffer(0, columns.size(), size_of(chunk.column_type), size_of(chunk.value_type));
  for (std::size_t i = 0; i < chunk.lengths.size(); ++i) {
    const auto length = static_cast<std::uint32_t>(offsets[i + 1] - offsets[i]);
    chunk.lengths[i] = length;
    length_min_ = std::min(length_min_, length);
    length_max_ = std::max(length_max_, length);
    num_blocks_ += (length + kEntriesPerBlock - 1) / kEntriesPerBlock;
  }
  with_type(chunk.column_type, [&]<class Column>(std::type_identity<Column>) {
    convert<Column>(columns, chunk.buffer.columns());
  });
  with_type(chunk.value_type, [&]<class Value>(std::type_identity<Value>) {
    convert<Value>(values, chunk.buffer.values());
  });
  value_type_ = std::max(value_type_, chunk.value_type);
  chunks_.push_back(std::move(chunk));
}

Rows RowsBuilder::build(std::size_t num_columns) && {
  seal();
  const RowForm form = best_form(num_columns);
  return std::move(*this).build_as(num_columns, form);
}

RowForm RowsBuilder::best_form(std::size_t num_columns) const {
  RowForm form{.layout = RowLayout::compressed,
               .column_type = narrowest_columns(num_columns),
               .value_type = value_type_};
  const bool ones = value_type_ == ValueType::ones;
  const std::uint64_t column_size = size_of(form.column_type);
  const std::uint64_t slots = round_up(length_max_, kSlotsMultiple);
  const bool slots_are_small = num_rows_ * slots * column_size <=
                               num_nonzeros_ * column_size + num_rows_ * sizeof(std::uint64_t);
  const bool equal = num_rows_ > 0 && length_min_ == length_max_;
  if (equal || (ones && num_rows_ > 0 && num_columns <= kFilledColumnsMax && slots_are_small))
    form.layout = RowLayout::slots;
  return form;
}

RowArrays RowsBuilder::arrays_for(std::size_t num_columns, const RowForm& form) const {
  RowArrays arrays{.layout = form.layout,
                   .column_type = form.column_type,
                   .value_type = form.value_type,
                   .num_rows = num_rows_,
                   .num_columns = num_columns,
                   .num_nonzeros = num_nonzeros_};
  require(form.layout != RowLayout::dense && form.column_type != ColumnType::u64,
          "rows: this form is for arrays of others");
  require(num_columns <= kColumnsMax<Key>, "rows: more than 2^32 columns");
  require(num_columns_ <= num_columns, "rows: a column is beyond the last");
  require(form.column_type >= narrowest_columns(num_columns) && form.value_type >= value_type_,
          "rows: the form is too narrow");
  if (form.layout == RowLayout::slots)
    arrays.slots = length_min_ == length_max_ ? length_max_ : round_up(length_max_, kSlotsMultiple);
  return arrays;
}

Rows RowsBuilder::build_as(std::size_t num_columns, const RowForm& form) && {
  seal();
  open_ = {};
  const RowArrays arrays = arrays_for(num_columns, form);
  std::size_t num_entries = num_nonzeros_;
  if (form.layout == RowLayout::blocks) num_entries = num_blocks_ * kEntriesPerBlock;
  if (form.layout == RowLayout::slots) num_entries = num_rows_ * arrays.slots;
  Packer packer(arrays, num_entries);
  for (Chunk& chunk : chunks_) {
    packer.append_offsets(chunk.lengths);
    packer.append_columns(chunk.lengths, chunk.column_type, chunk.buffer.columns().data());
    packer.append_values(chunk.lengths, chunk.value_type, chunk.buffer.values().data());
    chunk = {};  // so that memory holds the rows once
  }
  return packer.rows();
}

}  // namespace asynprox
