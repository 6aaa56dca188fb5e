#include "asynprox/data/readers/read_blocks.h"

#include <algorithm>

#include "asynprox/base/errors.h"
#include "asynprox/data/row_slice.h"

namespace asynprox {
namespace {

Vector part(const Vector& numbers, std::size_t first, std::size_t last) {
  if (numbers.empty()) return {};
  return {numbers.begin() + static_cast<std::ptrdiff_t>(first),
          numbers.begin() + static_cast<std::ptrdiff_t>(last)};
}

}  // namespace

void for_each_slice(const Dataset& data, const VisitBlock& visit, std::size_t size) {
  require(size > 0, "slices: expected a size of at least 1");
  Dataset block = without_samples(data);
  block.columns_ignored = {};
  for (std::size_t first = 0; first < data.num_samples(); first += size) {
    const std::size_t last = std::min(first + size, data.num_samples());
    block.rows = naming<DataError>(data.name, [&] { return row_slice(data.rows, first, last); });
    block.labels = part(data.labels, first, last);
    block.weights = part(data.weights, first, last);
    block.row_scale = part(data.row_scale, first, last);
    visit(block);
    block.feature_names.clear();
  }
}

}  // namespace asynprox
