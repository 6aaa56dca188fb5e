// One block of whole CSV records: a cell is the label, the others are features, all of them finite
// numbers, or ignored. A value of 0 is not stored.
#pragma once

#include <optional>
#include <string_view>

#include "asynprox/data/readers/csv_labels.h"
#include "asynprox/data/readers/labelled_rows.h"
#include "asynprox/data/readers/match_columns.h"

namespace asynprox {

struct CsvLayout {
  char separator = ',';
  std::size_t num_cells = 0;
  std::optional<std::size_t> label = {};  // which cell, from 0; none: samples without labels
  bool text_labels = false;               // also where all of them are numbers
  // Which column each cell is, or kNoColumn: it is not looked at. That of the label says nothing.
  std::vector<Key> places = {};
  bool rising = true;           // the places of a record's features rise
  std::size_t num_columns = 0;  // all places are below it
};

struct CsvBlock {
  CsrMatrix matrix;
  CsvLabels labels;
  std::size_t num_lines = 0;
  std::optional<CsvMisread> problem;  // the first; what comes after it is not read
};

CsvBlock parse_csv_block(std::string_view text, const CsvLayout& layout);

}  // namespace asynprox
