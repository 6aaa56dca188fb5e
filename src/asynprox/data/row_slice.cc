#include "asynprox/data/row_slice.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "asynprox/base/errors.h"
#include "asynprox/linalg/row_types.h"

namespace asynprox {
namespace {

// What a slice borrows from.
struct Owner {
  Rows rows;
  std::vector<std::uint64_t> offsets = {};
};

// In place: offsets from 0, of the rows first to last - 1.
void assign_offsets(std::span<const std::uint64_t> all, std::size_t first, std::size_t last,
                    std::vector<std::uint64_t>& offsets) {
  for (std::size_t i = first; i < last; ++i)
    if (all[i] > all[i + 1] || all[i + 1] > all.back())
      throw DataError(fmt::format("row {}: expected offsets that rise to {}, got {} and {}", i + 1,
                                  all.back(), all[i], all[i + 1]));
  offsets.assign(all.begin() + static_cast<std::ptrdiff_t>(first),
                 all.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  for (std::uint64_t& offset : offsets) offset -= all[first];
}

}  // namespace

Rows row_slice(const Rows& rows, std::size_t first, std::size_t last) {
  require(first <= last && last <= rows.num_rows(), "a slice: expected rows that are there");
  RowArrays arrays = rows.arrays();
  const auto owner = std::make_shared<Owner>(Owner{.rows = rows});
  std::uint64_t begin = first * arrays.slots, end = last * arrays.slots;
  const bool full =
      arrays.layout != RowLayout::slots || arrays.num_nonzeros == arrays.num_rows * arrays.slots;
  if (arrays.layout != RowLayout::slots) {
    const auto offsets = array_of<std::uint64_t>(arrays.offsets);
    assign_offsets(offsets, first, last, owner->offsets);
    begin = offsets[first];
    end = offsets[last];
    arrays.offsets = std::as_bytes(std::span(owner->offsets));
  }
  const auto cut = [&](std::span<const std::byte> entries, std::size_t size) {
    return entries.subspan(begin * size, (end - begin) * size);
  };
  arrays.columns = cut(arrays.columns, size_of(arrays.column_type));
  arrays.values = cut(arrays.values, size_of(arrays.value_type));
  arrays.num_rows = last - first;
  // Entries that fill up rows are not counted one by one: of rows that may have some, a slice says
  // that it has.
  arrays.num_nonzeros = end - begin - (full || begin == end ? 0 : 1);
  return Rows::borrowed(arrays, owner);
}

Dataset without_samples(const Dataset& data) {
  return {.name = data.name,
          .column_scale = data.column_scale,
          .center = data.center,
          .feature_names = data.feature_names,
          .label_names = data.label_names,
          .all_columns_said = data.all_columns_said,
          .label_column = data.label_column,
          .label_column_name = data.label_column_name,
          .columns_ignored = data.columns_ignored,
          .picture = data.picture,
          .ratings = data.ratings};
}

}  // namespace asynprox
