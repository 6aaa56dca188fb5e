// Rows of any form with their columns and values as plain arrays, one at a time: for work on a row
// that is large beside the copy.
#pragma once

#include <span>
#include <vector>

#include "asynprox/linalg/row_access.h"
#include "asynprox/linalg/vectors.h"

namespace asynprox {

// Calls work(i, columns, values) with row number samples[i] for every i. The arrays are the
// caller's until it returns, and may be changed.
template <class Work>
void for_each_widened_row(const RowArrays& arrays, std::span<const SampleIndex> samples,
                          Work work) {
  std::vector<Key> columns;
  Vector values;
  with_access(arrays, [&](const auto& access) {
    for (std::size_t i = 0; i < samples.size(); ++i) {
      access.prefetch_ahead(samples, i);
      const auto row = access.row(samples[i]);
      columns.resize(row.length);
      values.resize(row.length);
      for (std::size_t e = 0; e < row.length; ++e) {
        columns[e] = static_cast<Key>(row.columns[e]);
        values[e] = row.value(e);
      }
      work(i, std::span(columns), std::span(values));
    }
  });
}

}  // namespace asynprox
