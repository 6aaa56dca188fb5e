// One block of whole CSV records: a cell is the label, the others are features, all of them finite
// numbers. A value of 0 is not stored.
#pragma once

#include <optional>
#include <string_view>

#include "asynprox/data/csv_labels.h"
#include "asynprox/data/labelled_rows.h"

namespace asynprox {

struct CsvLayout {
  char separator = ',';
  std::size_t num_cells = 0;
  std::optional<std::size_t> label = {};  // which cell, from 0; none: samples without labels
  bool text_labels = false;               // also where all of them are numbers
};

struct CsvBlock {
  CsrMatrix matrix;
  CsvLabels labels;
  std::size_t num_lines = 0;
  std::optional<CsvMisread> problem;  // the first; what comes after it is not read
};

CsvBlock parse_csv_block(std::string_view text, const CsvLayout& layout);

}  // namespace asynprox
