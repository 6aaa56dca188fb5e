// Samples as a reader or a generator hands them over, before they are given their final form.
#pragma once

#include <algorithm>
#include <utility>

#include "asynprox/linalg/rows.h"
#include "asynprox/linalg/rows_builder.h"
#include "asynprox/linalg/vectors.h"

namespace asynprox {

// A few of them.
struct LabelledRows {
  CsrMatrix matrix;
  Vector labels;  // one per row
};

// All of them, narrow.
struct CollectedRows {
  RowsBuilder rows = {};
  std::size_t num_columns = 0;  // may be more than the largest column
  Vector labels = {};

  void add(const LabelledRows& block) {
    rows.add(block.matrix);
    num_columns = std::max(num_columns, block.matrix.num_columns);
    labels.insert(labels.end(), block.labels.begin(), block.labels.end());
  }

  void add(CollectedRows&& more) {
    rows.add(std::move(more.rows));
    num_columns = std::max(num_columns, more.num_columns);
    labels.insert(labels.end(), more.labels.begin(), more.labels.end());
  }
};

}  // namespace asynprox
