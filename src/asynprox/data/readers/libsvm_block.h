// The grammar of LIBSVM text, for one block of whole lines:
//
//   line     label feature*          blank lines, and '#' to the end of a line, are skipped
//   feature  column:value            columns rise within a line, from 1 (or 0) up to 2^31 - 1
//
// Labels and values are finite decimal numbers. A value of 0 is not stored, but its column counts
// towards the number of columns.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "asynprox/data/readers/labelled_rows.h"

namespace asynprox {

struct LibsvmProblem {
  std::size_t line = 0;    // of the block, from 1
  std::size_t column = 0;  // in bytes, from 1
  std::string message;     // expected ..., got ...
};

struct LibsvmBlock {
  LabelledRows samples;  // with as many columns as the largest column seen
  std::size_t num_lines = 0;
  std::optional<LibsvmProblem> problem;  // the first; what comes after it is not read
};

LibsvmBlock parse_libsvm_block(std::string_view text, bool zero_based);

}  // namespace asynprox
